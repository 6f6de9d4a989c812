import { join } from 'node:path';
import { type Service, startService } from '../../service.ts';

/** Name of the served model. */
export const MODEL = 'tiny';

/** Only stops servers that hang: on a busy machine, vLLM takes more than nine minutes to start. */
export const START_TIMEOUT_MS = 1_500_000;

const ARGS = [
  ...['-m', 'vllm.entrypoints.openai.api_server', '--host', '127.0.0.1', '--load-format', 'dummy'],
  ...['--served-model-name', MODEL, '--max-model-len', '2048', '--enforce-eager'],
];

const ENV = {
  /** Size of the KV cache in GiB. */
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_NO_USAGE_STATS: '1',
  HF_HUB_OFFLINE: '1',
};

/** A first request, for which vLLM compiles its kernels. On a busy machine, this takes most of a minute. */
export interface FirstRequest {
  readonly path: string;
  readonly body: object;
}

/** Starts vLLM with the model of a folder, and sends the first request. Its metrics are at `/metrics`. */
export async function startVllm(
  peer: string,
  model: string,
  args: readonly string[],
  { path, body }: FirstRequest,
): Promise<Service> {
  const server = await startService(
    join(peer, 'bin/python'),
    port => [...ARGS, '--model', model, '--port', String(port), ...args],
    '/health',
    { timeoutMs: START_TIMEOUT_MS, env: ENV },
  );
  const { status } = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, ...body }),
  });
  if (status === 200) return server;
  await server.stop();
  throw new Error(`vLLM responded to ${path} with HTTP status ${status}; expected 200`);
}
