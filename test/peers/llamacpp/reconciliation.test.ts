import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../service.ts';
import { readJson } from '../support/exports.ts';
import { describePeer } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { createModel, MODEL, type Router, startLlamaCpp, startRouter } from './servers.ts';

const REQUESTS = 40;
const OUTPUT_TOKENS = 20;

/** llama.cpp closes the connection of a stream without notice, so that a request on it could fail. */
const ARGS = [
  ...['--model', MODEL, '--endpoint-type', 'chat', '--streaming', '--connection-reuse-strategy', 'never'],
  ...['--request-count', String(REQUESTS), '--warmup-request-count', '4', '--concurrency', '6'],
  ...['--isl', '100', '--osl', String(OUTPUT_TOKENS), '--extra-inputs', 'ignore_eos:true'],
  ...['--tokenizer', 'builtin'],
];

interface Profile {
  readonly reconciliation: unknown;
  readonly total_usage_prompt_tokens: { readonly avg: number };
  readonly total_usage_prompt_cache_read_tokens: { readonly avg: number };
}

describePeer('llamacpp', 'llama.cpp and the SGLang router count what the client counts', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'llamacpp-'));
  const services: Service[] = [];
  let llamaCpp: Service;
  let router: Router;

  beforeAll(async () => {
    const model = join(folder, 'model.gguf');
    await createModel(peer, model);
    llamaCpp = await startLlamaCpp(peer, model);
    services.push(llamaCpp);
    router = await startRouter(peer, llamaCpp.url);
    services.push(router);
  });

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    rmSync(folder, { recursive: true });
  });

  async function profile(name: string, url: string, pages: readonly string[]): Promise<Profile> {
    const target = ['--url', url, '--server-metrics', ...pages, '--artifact-dir', join(folder, name)];
    await servelens('profile', ...ARGS, ...target);
    return readJson<Profile>(folder, name, 'profile_export_aiperf.json');
  }

  test('llama.cpp counts every token of the client, also those from its cache', async () => {
    // Prompts begin with the same template, so that a part of each is in the cache of a slot.
    const run = await profile('engine', llamaCpp.url, [`${llamaCpp.url}/metrics`]);
    expect(run.total_usage_prompt_cache_read_tokens.avg).toBeGreaterThan(0);
    const tokens = { difference: 0, client_source: 'usage' };
    expect(run.reconciliation).toMatchObject({
      server: 'llama.cpp',
      prompt_tokens: { ...tokens, server: run.total_usage_prompt_tokens.avg },
      generation_tokens: { ...tokens, server: REQUESTS * OUTPUT_TOKENS },
      findings: [],
    });
  });

  test('the router counts every request, and llama.cpp behind it every token', async () => {
    const run = await profile('router', router.url, [router.metricsUrl, `${llamaCpp.url}/metrics`]);
    const tokens = { difference: 0, client_source: 'usage', counted_by: 'llama.cpp' };
    expect(run.reconciliation).toMatchObject({
      server: 'SGLang router',
      requests: { client: REQUESTS, server: REQUESTS, difference: 0 },
      prompt_tokens: { ...tokens, server: run.total_usage_prompt_tokens.avg },
      generation_tokens: { ...tokens, server: REQUESTS * OUTPUT_TOKENS },
      latencies: [],
      findings: [],
    });
  });
});
