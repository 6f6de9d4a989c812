import { ExpositionWriter } from '../../metrics/exposition.ts';
import { type ExpositionStyle, PYTHON_STYLE, RUST_STYLE } from '../../metrics/expositionStyle.ts';
import { Registry } from '../../metrics/registry.ts';
import { createTextPage, type Page, type Profile, type ProfileContext } from '../profile.ts';
import { declareVllm } from '../vllm.ts';
import { declareModel } from './frontendModel.ts';
import { declareRequests } from './frontendRequests.ts';
import { declareRuntime } from './frontendRuntime.ts';
import { declareStages } from './frontendStages.ts';
import { createIdentity, type Identity } from './identity.ts';
import {
  declareApproximateIndex,
  declareIndex,
  declareIngress,
  declareQueue,
  declareWorkerLoad,
} from './kvRouter.ts';
import { declareOverhead, declareRouter } from './router.ts';
import { declareUptime, declareWorker } from './worker.ts';

/**
 * Creates the profile of NVIDIA Dynamo 1.6 with a vLLM worker: the frontend's page on the main port, and the worker's
 * page on a second port. Several engines are data-parallel ranks of the worker. Many series of the frontend are
 * created with the first request.
 */
export function createDynamoProfile(context: ProfileContext): Profile {
  const identity = createIdentity(context);
  return { pages: [createFrontendPage(context, identity), createWorkerPage(context, identity)] };
}

/** The frontend writes its own families before the families of its router. */
function createFrontendPage(context: ProfileContext, identity: Identity): Page {
  const frontend = new Registry(context);
  const component = new Registry(context);
  declareModel(frontend, context);
  declareRequests(frontend, context, identity);
  const refreshers = [declareStages(frontend, context), declareRuntime(frontend, context)];
  declareOverhead(frontend, context, identity);
  declareRouter(component, context, identity);
  if (context.dynamoRouter === 'kv') {
    declareQueue(frontend, context);
    refreshers.push(declareWorkerLoad(frontend, context, identity));
    declareIndex(component, context, identity);
    declareIngress(component, context, identity);
    declareApproximateIndex(component, identity);
  }
  refreshers.push(declareUptime(component, context, identity.frontend));
  const page = createTextPage(
    { name: 'frontend', path: '/metrics', port: 'main' },
    frontend,
    RUST_STYLE,
    () => {
      for (const refresh of refreshers) refresh();
    },
  );
  return appendRegistry(page, component, RUST_STYLE);
}

/** A worker writes the families of its runtime before the families of its engine. */
function createWorkerPage(context: ProfileContext, identity: Identity): Page {
  const runtime = new Registry(context);
  const refreshers = [
    declareWorker(runtime, context, identity),
    declareUptime(runtime, context, identity.worker),
  ];
  const engine = new Registry(context);
  declareVllm(engine, context.engines, context.model);
  const page = createTextPage(
    { name: 'component', path: '/metrics', port: 'side' },
    runtime,
    RUST_STYLE,
    () => {
      for (const refresh of refreshers) refresh();
    },
  );
  return appendRegistry(page, engine, PYTHON_STYLE);
}

/** Returns a page that ends with the families of another registry. */
function appendRegistry(page: Page, registry: Registry, style: ExpositionStyle): Page {
  const writer = new ExpositionWriter(registry, style);
  return {
    ...page,
    read(accept) {
      const { body, contentType } = page.read(accept);
      return { body: body + writer.write(), contentType };
    },
  };
}
