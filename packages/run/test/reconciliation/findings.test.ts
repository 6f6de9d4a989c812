import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { A, at, B, C, createClient, createDocument } from './sides.ts';

const HEALTHY = { baseline_ns: at(0), first_fetch_ns: at(-1), last_fetch_ns: at(150) };

/** Creates the health of an endpoint that restarts at the given times, each after an outage of 2 s if it has a reason. */
function createRestarts(times: readonly number[], { reason }: { reason?: string } = {}): object {
  return {
    ...HEALTHY,
    resets: times.map(time => ({ at_ns: at(time), previous_ns: at(time - (reason ? 3 : 1)), counters: 4 })),
    outages: reason ? times.map(time => createOutage(time - 2, time, reason)) : [],
  };
}

function createOutage(start: number, end: number | undefined, reason: string): object {
  return { start_ns: at(start), ...(end === undefined ? {} : { end_ns: at(end) }), scrapes: 6, reason };
}

const usage = { usage_completion_tokens: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };
const tokenized = { output_sequence_length: { unit: 'tokens', avg: 5, count: 10, sum: 50 } };

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
    'inputs that are counted as requests',
    createClient({ mayCombineInputs: true }),
    { document: createDocument({ [A]: 40 }) },
    [['requests_exceeded', 30]],
  ],
  [
    'lost responses',
    createClient({ failed: 4 }),
    { document: createDocument({ [A]: 12 }) },
    [['responses_lost', 2]],
  ],
  [
    'requests that the servers aborted, and foreign traffic',
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
    'a server that restarts repeatedly, with an outage before each restart',
    createClient(),
    {
      document: createDocument(
        { [A]: 10 },
        { resets: 4, infos: { [A]: createRestarts([20, 40, 60, 80], { reason: 'refused' }) } },
      ),
    },
    [['counters_reset', 1]],
  ],
  [
    'equal tokens',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 50 }) },
    [],
  ],
  [
    'token counts in `usage` that differ from the server metrics',
    createClient({ blocks: usage }),
    { document: createDocument({ [A]: 10 }, { tokens: 51 }) },
    [['token_counts_differ', 1]],
  ],
  [
    'a small difference between tokenizers',
    createClient({ blocks: tokenized }),
    { document: createDocument({ [A]: 10 }, { tokens: 53 }) },
    [],
  ],
  [
    'a large difference between tokenizers',
    createClient({ blocks: tokenized }),
    { document: createDocument({ [A]: 10 }, { tokens: 80 }) },
    [['token_counts_differ', 30]],
  ],
] as const)('finds discrepancies: %s', (_, client, server, expected) => {
  const reconciliation = reconcile(client, { mixedEndpoints: [], ...server }, builtInServers)!;
  expect(reconciliation.findings.map(({ kind, count }) => [kind, count])).toEqual(expected);
});

test('the message mentions endpoints that counted no requests', () => {
  const { findings } = reconcile(
    createClient(),
    {
      document: createDocument({ [A]: 5, [B]: 0 }),
      mixedEndpoints: [],
    },
    builtInServers,
  )!;
  expect(findings[0]!.message).toMatch(/1 of 2 endpoints counted no requests/);
});

const DEAD = {
  ...HEALTHY,
  last_fetch_ns: at(17),
  last_failure_ns: at(149),
  outages: [createOutage(17.3, undefined, 'refused')],
};
const UNKNOWN =
  'the cause is unknown; check that all servers of this load are scraped, and let the servers settle after profiling';

test.each<[string, number, object | undefined, string]>([
  [
    'the death of the server',
    3,
    DEAD,
    'a:1 stopped responding at 17 s; requests that it completed after its last scrape are not counted',
  ],
  [
    'a server that responds without metrics',
    3,
    { ...DEAD, outages: [createOutage(17.3, undefined, 'server_error')] },
    'a:1 stopped returning metrics at 17 s; requests that it completed after its last scrape are not counted',
  ],
  [
    'a restart',
    9,
    createRestarts([21]),
    'a:1 restarted at 21 s; requests that it completed between its last scrape and the restart are not counted',
  ],
  [
    'a restart within 1 s after a response, which the server may not have counted yet',
    9,
    createRestarts([21.5]),
    'a:1 restarted at 22 s; requests that it completed between its last scrape and the restart are not counted',
  ],
  [
    'a restart after an outage',
    9,
    createRestarts([21], { reason: 'refused' }),
    'a:1 restarted between 18 s and 21 s; requests that it completed between its last scrape and the restart are not counted',
  ],
  [
    'a restart in which fewer requests ended than are missing',
    2,
    createRestarts([21]),
    'a:1 restarted at 21 s; requests that it completed between its last scrape and the restart are not counted; this explains at most 1 request',
  ],
  [
    'a late start',
    8,
    { first_fetch_ns: at(12), last_fetch_ns: at(150) },
    'a:1 first returned metrics at 12 s; requests that it completed earlier may not be counted',
  ],
  [
    'an outage in which the server was down',
    8,
    { ...HEALTHY, outages: [createOutage(8, 12, 'refused')] },
    'a:1 returned no metrics from 8 s to 12 s; requests that it completed before the end of this outage may not be counted',
  ],
  [
    'an outage after which new series appeared',
    8,
    {
      ...HEALTHY,
      outages: [createOutage(8, 12, 'timeout')],
      unknown_starts: [{ reason: 'scrape_failed', series: 2 }],
    },
    'a:1 returned no metrics from 8 s to 12 s; requests that it completed before the end of this outage may not be counted',
  ],
  [
    'an outage of a server that was busy',
    8,
    { ...HEALTHY, outages: [createOutage(8, 12, 'timeout')] },
    UNKNOWN,
  ],
  ['a restart in which no requests ended', 9, createRestarts([90]), UNKNOWN],
  ['a restart later after a response', 9, createRestarts([22.5]), UNKNOWN],
  ['a death in which no requests ended', 9, { ...DEAD, last_fetch_ns: at(60) }, UNKNOWN],
  ['no interruption', 9, HEALTHY, UNKNOWN],
  ['unknown health', 9, undefined, UNKNOWN],
])('explains missing requests only with evidence: %s', (_, counted, info, cause) => {
  const document = createDocument({ [A]: counted }, info ? { infos: { [A]: info } } : {});
  const { findings } = reconcile(createClient(), { document, mixedEndpoints: [] }, builtInServers)!;
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([['requests_missing', 10 - counted]]);
  expect(findings[0]!.message.split('%): ')[1]).toBe(cause);
});

test('mentions a load balancer for missing requests only if replicas are mixed', () => {
  const document = createDocument({ [A]: 2795, [B]: 6 });
  const { findings } = reconcile(createClient(), { document, mixedEndpoints: [A] }, builtInServers)!;
  expect(findings[0]!.message).toMatch(/a load balancer mixes replicas, and may have sent them to replicas/);
});

test('reports the time of a restart that reset counters', () => {
  const infos = { [A]: createRestarts([21]) };
  const document = createDocument({ [A]: 10 }, { resets: 1, infos });
  const { findings } = reconcile(createClient(), { document, mixedEndpoints: [] }, builtInServers)!;
  expect(findings.map(({ message }) => message)).toEqual(['a:1 restarted at 21 s, which reset its counters']);
});

test.each([
  ['of cancelled requests', 16, { client_count: 10, server_count: 16 }],
  ['of the same requests', 10, {}],
])('names the requests of a mean that the servers measured: %s', (_, observed, expected) => {
  const firstToken = { type: 'histogram', description: '', unit: 'seconds' };
  const series = [{ endpoint_url: A, stats: { count: observed, sum: 2 } }];
  const { metrics, ...document } = createDocument({ [A]: 10 });
  const server = {
    ...document,
    metrics: { ...metrics, 'vllm:time_to_first_token_seconds': { ...firstToken, series } },
  } as unknown as typeof document & { metrics: typeof metrics };
  const blocks = { time_to_first_token: { unit: 'ms', avg: 300, count: 10, sum: 3000 } };
  const client = createClient({ cancelled: 6, blocks });
  const [latency] = reconcile(client, { document: server, mixedEndpoints: [] }, builtInServers)!.latencies;
  const { client_count, server_count } = latency!;
  expect({ client_count, server_count }).toEqual({
    client_count: undefined,
    server_count: undefined,
    ...expected,
  });
});
