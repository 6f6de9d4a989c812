import { ExpositionWriter } from '../metrics/exposition.ts';
import { PYTHON_STYLE, RUST_STYLE } from '../metrics/expositionStyle.ts';
import { Registry } from '../metrics/registry.ts';
import { declareComponent } from './dynamoComponent.ts';
import { declareFrontend } from './dynamoFrontend.ts';
import { createTextPage, type Page, type Profile, type ProfileContext } from './profile.ts';
import { declareVllm } from './vllm.ts';

/**
 * NVIDIA Dynamo (early 2026) with a vLLM worker: the front end's page on the main port, and the worker's page
 * on a second port. The worker's page contains the metrics of the Rust runtime, followed by vLLM's.
 */
export function createDynamoProfile(context: ProfileContext): Profile {
  const frontend = new Registry(context);
  declareFrontend(frontend, context);
  const main = createTextPage({ name: 'frontend', path: '/metrics', port: 'main' }, frontend, RUST_STYLE);
  return { pages: [main, createComponentPage(context)] };
}

function createComponentPage(context: ProfileContext): Page {
  const runtime = new Registry(context);
  const refresh = declareComponent(runtime, context);
  const engine = new Registry(context);
  declareVllm(engine, context.engines, context.model);
  const runtimePage = createTextPage(
    { name: 'component', path: '/metrics', port: 'side' },
    runtime,
    RUST_STYLE,
    refresh,
  );
  const engineWriter = new ExpositionWriter(engine, PYTHON_STYLE);
  return {
    ...runtimePage,
    read(accept) {
      const { body, contentType } = runtimePage.read(accept);
      return { body: body + engineWriter.write(), contentType };
    },
  };
}
