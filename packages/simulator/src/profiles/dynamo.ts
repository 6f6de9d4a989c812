import { ExpositionWriter } from '../metrics/exposition.ts';
import { Registry } from '../metrics/registry.ts';
import { pythonStyle, rustStyle } from '../metrics/style.ts';
import { declareComponent } from './component.ts';
import { declareFrontend } from './frontend.ts';
import { type Page, type Profile, type ProfileContext, textPage } from './profile.ts';
import { declareVllm } from './vllm.ts';

/**
 * NVIDIA Dynamo of early 2026 with a vLLM worker: the front end's page where requests go, and the worker's, on a port
 * of its own, which holds what the Rust runtime counts and, behind it, what vLLM counts.
 */
export function dynamoProfile(context: ProfileContext): Profile {
  const frontend = new Registry(context);
  declareFrontend(frontend, context);
  const main = textPage({ name: 'frontend', path: '/metrics', port: 'main' }, frontend, rustStyle);
  return { pages: [main, componentPage(context)] };
}

function componentPage(context: ProfileContext): Page {
  const runtime = new Registry(context);
  const refresh = declareComponent(runtime, context);
  const engine = new Registry(context);
  declareVllm(engine, context.engines, context.model);
  const runtimePage = textPage(
    { name: 'component', path: '/metrics', port: 'side' },
    runtime,
    rustStyle,
    refresh,
  );
  const engineWriter = new ExpositionWriter(engine, pythonStyle);
  return {
    ...runtimePage,
    read(accept) {
      const { body, contentType } = runtimePage.read(accept);
      return { body: body + engineWriter.write(), contentType };
    },
  };
}
