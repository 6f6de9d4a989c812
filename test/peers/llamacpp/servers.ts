import { join } from 'node:path';
import { type Service, startService } from '../../service.ts';
import { runOrThrow } from '../support/command.ts';

/** Name of the served model. */
export const MODEL = 'tiny';

const START_TIMEOUT_MS = 120_000;

/** Writes a model with random weights, which llama.cpp serves. */
export async function createModel(peer: string, file: string): Promise<void> {
  await runOrThrow(join(peer, 'bin/python'), [join(import.meta.dirname, 'create_model.py'), file]);
}

/** Starts the server of llama.cpp. Its metrics are at `/metrics`. */
export function startLlamaCpp(peer: string, model: string): Promise<Service> {
  const script = join(import.meta.dirname, 'serve.py');
  return startService(join(peer, 'bin/python'), port => [script, model, MODEL, String(port)], '/health', {
    timeoutMs: START_TIMEOUT_MS,
  });
}

/** A router whose metrics have another address than its API. */
export interface Router extends Service {
  readonly metricsUrl: string;
}

/** Address of the router's metrics. It has the port of the API, so that no other free port is needed. */
const METRICS_HOST = '127.0.0.2';

/** Starts the router of SGLang in front of a server. */
export async function startRouter(peer: string, worker: string): Promise<Router> {
  const router = await startService(
    join(peer, 'bin/python'),
    port => [
      ...['-m', 'sglang_router.launch_router', '--host', '127.0.0.1', '--port', String(port)],
      ...['--prometheus-host', METRICS_HOST, '--prometheus-port', String(port)],
      ...['--backend', 'openai', '--worker-urls', worker],
    ],
    '/readiness',
    { timeoutMs: START_TIMEOUT_MS },
  );
  return { ...router, metricsUrl: `${router.url.replace('127.0.0.1', METRICS_HOST)}/metrics` };
}
