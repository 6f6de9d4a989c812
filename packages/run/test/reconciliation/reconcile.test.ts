import type { ServerMetricsDocument } from '@org/formats';
import { parseMetricsTarget } from '@org/scrape';
import { builtInServers } from '@org/servers';
import { createSimulator } from '@org/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';
import { MODEL, runProfilePlan } from '../plans.ts';
import { A, createClient } from './sides.ts';

/** Names of the simulated servers whose engines count requests; llama.cpp's server does not, and a router is not an engine. */
const NAMES = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  trtllm: 'TRT-LLM',
  dynamo: 'Dynamo',
  triton: 'Triton',
} as const;

type Kind = keyof typeof NAMES;

/** Starts a simulated server. `pages` contains the URLs of its metrics. */
async function startServer(kind: Kind): Promise<{ url: string; pages: string[] }> {
  const simulator = createSimulator({ seed: 5, kind });
  const { url, pages } = await simulator.listen(0);
  onTestFinished(() => simulator.close());
  return { url, pages: Object.values(pages) };
}

test.each(Object.keys(NAMES) as Kind[])('finds no discrepancy with a simulated server: %s', async kind => {
  const { url, pages } = await startServer(kind);
  const { reconciliation } = await runProfilePlan(url, {
    profiling: { concurrency: 2, requestCount: 12 },
    warmup: { concurrency: 2, requestCount: 3 },
    targets: pages.map(page => parseMetricsTarget(page)),
  });
  expect(reconciliation).toMatchObject({
    server: NAMES[kind],
    requests: { client: 12, server: 12, difference: 0 },
    findings: [],
  });
  if (kind !== 'triton') {
    expect(reconciliation).toMatchObject({
      prompt_tokens: { difference: 0, client_source: 'usage' },
      generation_tokens: { client: 72, server: 72, difference: 0 },
    });
  }
  const [latency] = reconciliation!.latencies;
  expect(latency!.metric).toBe('request_latency');
  expect(latency!.server_avg_ms).toBeGreaterThan(0);
  // The simulator shares the thread of the client, so client timestamps are inaccurate and the share may be negative.
  expect(latency!.outside_share).toBeGreaterThan(-0.5);
});

test('detects the requests of another client', async () => {
  const { url } = await startServer('vllm');
  const foreign: Promise<unknown>[] = [];
  const sendForeignRequest = async (): Promise<void> => {
    const body = { model: MODEL, messages: [{ role: 'user', content: 'hello' }], max_tokens: 1 };
    const headers = { 'content-type': 'application/json' };
    await (
      await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).text();
  };
  let isForeignDone = false;
  const controller = new AbortController();
  const profiling = { concurrency: 2, durationS: 60 };
  const { reconciliation } = await runProfilePlan(
    url,
    { profiling },
    {
      signal: controller.signal,
      onEvent: event => {
        if (event.type !== 'load_started') return;
        const { metrics } = event.active;
        const timer = setInterval(() => {
          if (metrics.succeeded > 0 && foreign.length === 0) {
            for (let n = 0; n < 7; n++) foreign.push(sendForeignRequest());
            Promise.all(foreign).then(() => {
              isForeignDone = true;
            });
          }
          if (!isForeignDone) return;
          clearInterval(timer);
          controller.abort();
        }, 5);
      },
    },
  );
  const surplusFinding = reconciliation!.findings.find(
    ({ kind }) => kind === 'other_clients' || kind === 'responses_lost',
  );
  // The server may have completed requests that were in flight at the end of the run.
  const { difference, client_cancelled: cancelled } = reconciliation!.requests!;
  expect(difference).toBeGreaterThanOrEqual(7);
  expect(difference).toBeLessThanOrEqual(7 + cancelled);
  expect(surplusFinding).toBeDefined();
  expect(reconciliation!.findings.map(({ kind }) => kind)).toContain('other_clients');
});

test('returns undefined if the server is unknown', () => {
  const document = { schema_version: '1.0', summary: {}, metrics: {} } as unknown as ServerMetricsDocument;
  expect(reconcile(createClient(), { document, mixedEndpoints: [] }, builtInServers)).toBeUndefined();
});

test('compares the tokens of a server that does not count requests', () => {
  const createTotals = (name: string, total: number): object => ({
    [name]: { type: 'counter', description: '', series: [{ endpoint_url: A, stats: { total, rate: 0 } }] },
  });
  const metrics = {
    ...createTotals('llamacpp:prompt_tokens', 90),
    ...createTotals('llamacpp:prompt_tokens_cached', 10),
    ...createTotals('llamacpp:tokens_predicted', 30),
  };
  const summary = { endpoint_info: {} };
  const document = { schema_version: '1.0', summary, metrics } as unknown as ServerMetricsDocument;
  const block = (sum: number): object => ({ count: 10, sum, avg: sum / 10 });
  const blocks = {
    usage_prompt_tokens: block(100),
    usage_completion_tokens: block(30),
  } as ClientSide['blocks'];
  const result = reconcile(createClient({ blocks }), { document, mixedEndpoints: [] }, builtInServers)!;
  expect(result).toMatchObject({ server: 'llama.cpp', findings: [] });
  expect(result.requests).toBeUndefined();
  expect([result.prompt_tokens?.difference, result.generation_tokens?.difference]).toEqual([0, 0]);
});
