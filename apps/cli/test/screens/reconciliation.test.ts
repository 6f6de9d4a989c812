import type { Reconciliation } from '@org/formats';
import { expect, test } from 'vitest';
import { renderReconciliation } from '../../src/screens/reconciliation.ts';
import { formatBullet } from '../../src/screens/screenText.ts';

const SCREEN = { width: 80, color: false };

const AGREEMENT: Reconciliation = {
  server: 'vLLM',
  requests: {
    client: 1200,
    server: 1200,
    difference: 0,
    client_failed: 0,
    client_cancelled: 0,
    server_unfinished: 0,
  },
  generation_tokens: { client: 50_000, server: 50_000, difference: 0, client_source: 'usage' },
  latencies: [
    {
      ...{ metric: 'request_latency', server_metric: 'vllm:e2e_request_latency_seconds' },
      ...{ client_avg_ms: 1000, server_avg_ms: 990, outside_avg_ms: 10, outside_share: 0.01 },
    },
  ],
  queue: { server_metric: 'vllm:request_queue_time_seconds', avg_ms: 50, share: 0.05 },
  findings: [],
};

test('renders counts, latencies and the agreement', () => {
  expect(renderReconciliation(AGREEMENT, SCREEN)).toEqual([
    ' Client and server            client        vLLM  difference',
    ' Requests                      1,200       1,200           0',
    ' Generation tokens            50,000      50,000           0',
    ' Mean latency                 client        vLLM  difference % of client',
    ' Request Latency                 1 s      990 ms       10 ms        1.0%',
    ' Server queue                              50 ms                    5.0%',
    ' ✓ vLLM counted exactly the requests of the client',
  ]);
});

test('separates the tokens of a server behind the frontend, and gives long names space', () => {
  const counted = { ...AGREEMENT.generation_tokens!, counted_by: 'llama.cpp' };
  const reconciliation = { ...AGREEMENT, server: 'SGLang router', generation_tokens: counted };
  const { queue: _, ...withoutQueue } = reconciliation;
  expect(renderReconciliation({ ...withoutQueue, latencies: [] }, SCREEN)).toEqual([
    ' Client and server            client  SGLang router  difference',
    ' Requests                      1,200          1,200           0',
    ' Tokens                       client      llama.cpp  difference',
    ' Generation tokens            50,000         50,000           0',
    ' ✓ SGLang router counted exactly the requests of the client',
  ]);
  const requests = { ...AGREEMENT.requests!, client_failed: 3 };
  const tokens = { ...counted, server: 50_100, difference: 100 };
  const lines = renderReconciliation({ ...reconciliation, requests, generation_tokens: tokens }, SCREEN);
  expect(lines.slice(-2).join('')).toContain('; the token counts');
});

test('explains tokens of failed and cancelled requests', () => {
  const requests = { ...AGREEMENT.requests!, client_failed: 3 };
  const tokens = { ...AGREEMENT.generation_tokens!, server: 50_100, difference: 100 };
  const lines = renderReconciliation({ ...AGREEMENT, requests, generation_tokens: tokens }, SCREEN);
  expect(lines[2]).toMatch(/\+100$/);
  expect(lines.slice(-2)).toEqual([
    ' ✓ vLLM counted exactly the requests of the client; its token counts include',
    '   failed and cancelled requests',
  ]);
});

test.each([
  ['neither client nor server counted a request', { client: 0, server: 0 }, false],
  ['all requests failed', { client: 0, server: 0, client_failed: 12 }, false],
  ['both counted one request', { client: 1, server: 1 }, true],
])('reports an agreement only if there are requests to compare: %s', (_, counts, isReported) => {
  const requests = { ...AGREEMENT.requests!, ...counts };
  const lines = renderReconciliation({ ...AGREEMENT, requests }, SCREEN);
  expect(lines.some(line => line.includes('counted exactly'))).toBe(isReported);
});

test('shows missing requests with a minus sign', () => {
  const requests = { ...AGREEMENT.requests!, server: 1100, difference: -100 };
  expect(renderReconciliation({ ...AGREEMENT, requests }, SCREEN)[1]).toMatch(/ -100$/);
});

test('renders findings', () => {
  const message =
    'the servers completed 7 requests that this run did not send: other clients use these servers';
  const lines = renderReconciliation(
    { ...AGREEMENT, findings: [{ kind: 'other_clients', message }] },
    SCREEN,
  );
  expect(lines.slice(-2)).toEqual(formatBullet(message, SCREEN));
  expect(lines.at(-2)).toMatch(/^ ! the servers completed/);
  expect(lines.every(line => line.length <= 80)).toBe(true);
});

test.each([
  ['a mean over all tokens', {}, 'Gap between Tokens'],
  ['a mean over requests', { client_p50_ms: 8, server_p50_estimate_ms: 8 }, 'Inter Token Latency'],
])(
  'names an inter-token latency that is %s, so that the screen has one latency of each name',
  (_, percentiles, name) => {
    const latency = {
      ...{ metric: 'inter_token_latency', server_metric: 'vllm:inter_token_latency_seconds' },
      ...{ client_avg_ms: 8.4, server_avg_ms: 8.3, outside_avg_ms: 0.1, outside_share: 0.01 },
      ...percentiles,
    };
    const lines = renderReconciliation({ ...AGREEMENT, latencies: [latency] }, SCREEN);
    expect(lines.filter(line => line.includes('8.4 ms'))).toEqual([expect.stringContaining(name)]);
  },
);

test('leaves stalls to the start of the screen', () => {
  const findings = [{ kind: 'server_stalled', message: 'for 72.2 s, nothing' }];
  expect(renderReconciliation({ ...AGREEMENT, findings }, SCREEN)).toEqual(
    renderReconciliation(AGREEMENT, SCREEN),
  );
});

test('names latencies whose means cover different requests, such as cancelled ones', () => {
  const [latency] = AGREEMENT.latencies;
  const latencies = [
    { ...latency!, metric: 'time_to_first_token', client_count: 35, server_count: 60 },
    { ...latency!, client_count: 185, server_count: 183 },
  ];
  expect(renderReconciliation({ ...AGREEMENT, latencies }, SCREEN).slice(-3)).toEqual([
    ' ! Time to First Token: the mean of vLLM covers 60 requests, that of the client',
    '   35',
    ' ✓ vLLM counted exactly the requests of the client',
  ]);
});
