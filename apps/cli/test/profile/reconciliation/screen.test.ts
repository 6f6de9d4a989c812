import type { Reconciliation } from '@org/formats';
import { expect, test } from 'vitest';
import { reconciliationLines } from '../../../src/profile/reconciliation/screen.ts';
import { bullet } from '../../../src/profile/screentext.ts';

const LOOK = { width: 80, color: false };

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

test('client and server', () => {
  expect(reconciliationLines(AGREEMENT, LOOK)).toEqual([
    ' Client and server            client        vLLM  difference',
    ' Requests                      1,200       1,200           0',
    ' Generation tokens            50,000      50,000           0',
    ' On average                   client        vLLM     outside   of client',
    ' Request Latency                 1 s      990 ms       10 ms       1.0 %',
    ' In its queue                              50 ms                   5.0 %',
    ' ✓ vLLM counted the answers that the client has, and no others',
  ]);
});

test('tokens of requests that failed are explained', () => {
  const requests = { ...AGREEMENT.requests!, client_failed: 3 };
  const tokens = { ...AGREEMENT.generation_tokens!, server: 50_100, difference: 100 };
  const lines = reconciliationLines({ ...AGREEMENT, requests, generation_tokens: tokens }, LOOK);
  expect(lines[2]).toMatch(/\+100$/);
  expect(lines.slice(-2)).toEqual([
    ' ✓ vLLM counted the answers that the client has, and no others; requests that',
    '   failed have their part in its tokens',
  ]);
});

test('what the servers lack has a minus, as times have', () => {
  const requests = { ...AGREEMENT.requests!, server: 1100, difference: -100 };
  expect(reconciliationLines({ ...AGREEMENT, requests }, LOOK)[1]).toMatch(/ -100$/);
});

test('what does not agree is told in whole sentences', () => {
  const message =
    'the servers completed 7 request(s) that this run did not send: somebody else uses them, and more';
  const lines = reconciliationLines({ ...AGREEMENT, findings: [{ kind: 'other_clients', message }] }, LOOK);
  expect(lines.slice(-2)).toEqual(bullet(message, LOOK));
  expect(lines.at(-2)).toMatch(/^ ! the servers completed/);
  expect(lines.every(line => line.length <= 80)).toBe(true);
});
