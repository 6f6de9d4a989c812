import type { ServerMetricsDocument } from '@org/formats';
import { parseMetricsTarget } from '@org/scrape';
import { createSimulator, serverKinds } from '@org/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';
import { MODEL, runProfilePlan } from '../plans.ts';

async function simulated(kind: (typeof serverKinds)[number]): Promise<{ url: string; pages: string[] }> {
  const simulator = createSimulator({ seed: 5, kind });
  const { url, pages } = await simulator.listen(0);
  onTestFinished(() => simulator.close());
  return { url, pages: Object.values(pages) };
}

const NAMES = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  trtllm: 'TRT-LLM',
  dynamo: 'Dynamo',
  triton: 'Triton',
} as const;

test.each(serverKinds)('finds no discrepancy with a simulated server: %s', async kind => {
  const { url, pages } = await simulated(kind);
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
  // The simulator runs in the thread of the client, which delays the client's timestamps.
  expect(latency!.outside_share).toBeGreaterThan(-0.5);
});

test('counts the requests of another client exactly', async () => {
  const { url } = await simulated('vllm');
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
  const found = reconciliation!.findings.find(
    ({ kind }) => kind === 'other_clients' || kind === 'responses_lost',
  );
  // In-flight requests at the end of the run may have been completed by the server.
  const { difference, client_failed: failed } = reconciliation!.requests!;
  expect(difference).toBeGreaterThanOrEqual(7);
  expect(difference).toBeLessThanOrEqual(7 + failed);
  expect(found).toBeDefined();
  expect(reconciliation!.findings.map(({ kind }) => kind)).toContain('other_clients');
});

const A = 'http://a:1/metrics';
const B = 'http://b:2/metrics';
const C = 'http://c:3/metrics';

/** Creates a vLLM document with completed requests by endpoint, aborted requests, and tokens. */
function createDocument(
  completed: Record<string, number>,
  more: { aborted?: number; tokens?: number; resets?: number } = {},
) {
  const { aborted = 0, tokens, resets } = more;
  const series = Object.entries(completed).map(([endpoint_url, total]) => ({
    endpoint_url,
    labels: { finished_reason: 'stop' },
    stats: { total, rate: 0, ...(resets === undefined ? {} : { resets, increase: total }) },
  }));
  const dropped = {
    endpoint_url: A,
    labels: { finished_reason: 'abort' },
    stats: { total: aborted, rate: 0 },
  };
  const generated = { endpoint_url: A, stats: { total: tokens ?? 0, rate: 0 } };
  return {
    schema_version: '1.0',
    metrics: {
      'vllm:request_success': {
        type: 'counter',
        description: '',
        unit: 'requests',
        series: [...series, dropped],
      },
      ...(tokens === undefined
        ? {}
        : {
            'vllm:generation_tokens': {
              type: 'counter',
              description: '',
              unit: 'tokens',
              series: [generated],
            },
          }),
    },
  } as unknown as ServerMetricsDocument;
}

function createClient(more: Partial<ClientSide> = {}): ClientSide {
  return {
    blocks: {},
    succeeded: 10,
    failed: 0,
    cancelled: 0,
    warmupCutOff: 0,
    tokenizer: 'o200k_base',
    ...more,
  };
}

const usage = { usage_completion_tokens: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };
const own = { output_sequence_length: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };

test.each([
  ['agreement', createClient(), { document: createDocument({ [A]: 10 }) }, []],
  [
    'aborted requests',
    createClient({ failed: 2 }),
    { document: createDocument({ [A]: 10 }, { aborted: 2 }) },
    [],
  ],
  ['foreign traffic', createClient(), { document: createDocument({ [A]: 13 }) }, [['other_clients', 3]]],
  [
    'lost responses',
    createClient({ failed: 4 }),
    { document: createDocument({ [A]: 12 }) },
    [['responses_lost', 2]],
  ],
  [
    'cancellations that the servers counted',
    createClient({ failed: 3 }),
    { document: createDocument({ [A]: 12 }, { aborted: 3 }) },
    [['other_clients', 2]],
  ],
  [
    'lost responses and foreign traffic',
    createClient({ failed: 1 }),
    { document: createDocument({ [A]: 14 }) },
    [
      ['responses_lost', 1],
      ['other_clients', 3],
    ],
  ],
  [
    'warm-up requests that the servers completed during profiling',
    createClient({ warmupCutOff: 2 }),
    { document: createDocument({ [A]: 12 }) },
    [['warmup_leakage', 2]],
  ],
  [
    'warm-up requests that are running at the start',
    createClient({ warmupCutOff: 2 }),
    { document: createDocument({ [A]: 10 }), runningAtStart: 2 },
    [['warmup_leakage', 2]],
  ],
  [
    'foreign requests that are running at the start',
    createClient(),
    { document: createDocument({ [A]: 10 }), runningAtStart: 3 },
    [['server_busy_at_start', 3]],
  ],
  [
    'a replica that is not scraped',
    createClient(),
    { document: createDocument({ [A]: 5, [B]: 0 }) },
    [['requests_missing', 5]],
  ],
  [
    'replicas behind one address',
    createClient(),
    { document: createDocument({ [A]: 10 }), mixedEndpoints: [A] },
    [['mixed_replicas', 1]],
  ],
  [
    'replicas behind one address that are also scraped directly',
    createClient(),
    { document: createDocument({ [A]: 2795, [B]: 6, [C]: 4 }), mixedEndpoints: [A] },
    [['mixed_replicas', 1]],
  ],
  [
    'replicas behind one address, some of them scraped directly',
    createClient(),
    { document: createDocument({ [A]: 2795, [B]: 6 }), mixedEndpoints: [A] },
    [
      ['requests_missing', 4],
      ['mixed_replicas', 1],
    ],
  ],
  [
    'a restart',
    createClient(),
    { document: createDocument({ [A]: 10 }, { resets: 1 }) },
    [['counters_reset', 1]],
  ],
  [
    'replicas behind one address with alternating counters',
    createClient(),
    { document: createDocument({ [A]: 33 }, { resets: 4 }) },
    [['mixed_replicas', 1]],
  ],
  [
    'a surplus after resets',
    createClient(),
    { document: createDocument({ [A]: 12 }, { resets: 2 }) },
    [['counters_reset', 1]],
  ],
  [
    'a restart that lost requests',
    createClient(),
    { document: createDocument({ [A]: 7 }, { resets: 1 }) },
    [
      ['requests_missing', 3],
      ['counters_reset', 1],
    ],
  ],
  [
    'equal tokens',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 50 }) },
    [],
  ],
  [
    'usage that differs from the metrics',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 51 }) },
    [['token_counts_differ', 1]],
  ],
  [
    'a small difference of tokenizers',
    createClient({ blocks: own }),
    { document: createDocument({ [A]: 10 }, { tokens: 53 }) },
    [],
  ],
  [
    'a large difference of tokenizers',
    createClient({ blocks: own }),
    { document: createDocument({ [A]: 10 }, { tokens: 80 }) },
    [['token_counts_differ', 30]],
  ],
] as const)('finds discrepancies: %s', (_, client, server, expected) => {
  const reconciliation = reconcile(client, { mixedEndpoints: [], ...server })!;
  expect(reconciliation.findings.map(({ kind, count }) => [kind, count])).toEqual(expected);
});

test('mentions endpoints that counted no requests', () => {
  const { findings } = reconcile(createClient(), {
    document: createDocument({ [A]: 5, [B]: 0 }),
    mixedEndpoints: [],
  })!;
  expect(findings[0]!.message).toMatch(/1 of 2 endpoints counted no requests/);
});

test('returns undefined for unknown servers', () => {
  const document = { schema_version: '1.0', metrics: {} } as unknown as ServerMetricsDocument;
  expect(reconcile(createClient(), { document, mixedEndpoints: [] })).toBeUndefined();
});
