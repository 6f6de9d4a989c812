import { expect, test } from 'vitest';
import type { EndpointRecord } from '../../src/runRecord.ts';
import { findIdlePeriods } from '../../src/view/idlePeriods.ts';
import { createEndpointRecord, createRunRecord, T0 } from '../support/runRecord.ts';

const [A, B] = ['http://a:1/metrics', 'http://b:1/metrics'];
const RUNNING = 'vllm:num_requests_running';
const TOKENS = 'vllm:generation_tokens';

/** Creates an endpoint that is scraped once per second; `values` has the value of each metric in each second. */
function createEndpoint(
  url: string,
  types: Readonly<Record<string, 'gauge' | 'counter'>>,
  values: Readonly<Record<string, readonly number[]>>,
): EndpointRecord {
  const [first] = Object.values(values);
  const frames = first!.map(
    (_, second) =>
      [
        second,
        Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list[second]!])),
      ] as const,
  );
  return createEndpointRecord(url, types, frames as Parameters<typeof createEndpointRecord>[2]);
}

/** Returns the idle periods in seconds. */
function findSeconds(endpoints: readonly EndpointRecord[], end = 11): number[][] | undefined {
  const toSeconds = (ns: bigint): number => Number(ns - T0) / 1e9;
  return findIdlePeriods(createRunRecord([...endpoints], 0, end))?.map(({ startNs, endNs }) => [
    toSeconds(startNs),
    toSeconds(endNs),
  ]);
}

const gauge = (url: string, values: readonly number[]): EndpointRecord =>
  createEndpoint(url, { [RUNNING]: 'gauge' }, { [RUNNING]: values });

test('finds idle time at the start, between requests and at the end', () => {
  const endpoint = gauge(A, [0, 0, 0, 2, 2, 0, 0, 0, 1, 0, 0, 0]);
  expect(findSeconds([endpoint])).toEqual([
    [0, 2],
    [5, 7],
    [9, 11],
  ]);
});

test('counts time as active if tokens were generated between two samples without running requests', () => {
  const endpoint = createEndpoint(
    A,
    { [RUNNING]: 'gauge', [TOKENS]: 'counter' },
    { [RUNNING]: Array(12).fill(0), [TOKENS]: [5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9] },
  );
  expect(findSeconds([endpoint])).toEqual([
    [0, 5],
    [7, 11],
  ]);
});

test('counts time as active before the first sample of a counter, which a server creates with its first token', () => {
  const endpoint = createEndpoint(
    A,
    { [RUNNING]: 'gauge', [TOKENS]: 'counter' },
    { [RUNNING]: Array(12).fill(0), [TOKENS]: [...Array(6).fill(Number.NaN), 9, 9, 9, 9, 9, 9] },
  );
  expect(findSeconds([endpoint])).toEqual([
    [0, 5],
    [7, 11],
  ]);
});

test('leaves out gaps of less than 2 s between requests', () => {
  expect(findSeconds([gauge(A, [1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1])])).toEqual([[5, 7]]);
});

test('finds only time in which all servers are idle', () => {
  const endpoints = [
    gauge(A, [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]),
    gauge(B, [0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]),
  ];
  expect(findSeconds(endpoints)).toEqual([
    [0, 3],
    [9, 11],
  ]);
});

test('ignores requests in a frontend that no engine processes', () => {
  const frontend = createEndpoint(
    A,
    { dynamo_frontend_inflight_requests: 'gauge' },
    { dynamo_frontend_inflight_requests: Array(12).fill(8) },
  );
  expect(findSeconds([frontend])).toEqual([]);
  expect(findSeconds([frontend, gauge(B, [0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8])])).toEqual([[0, 4]]);
});

test('ends with the last sample of a server that died', () => {
  expect(findSeconds([gauge(A, [1, 1, 0, 0, 0, 0])])).toEqual([[2, 5]]);
});

test.each([
  ['Triton', 'nv_inference_request_success', 'nv_inference_pending_request_count'],
  ['TensorRT-LLM', 'trtllm_request_success', 'trtllm_num_requests_waiting'],
])(
  'is undefined for %s without a gauge of running requests, which may take long',
  (_, completed, waiting) => {
    const endpoint = createEndpoint(
      A,
      { [completed]: 'counter', [waiting]: 'gauge' },
      { [completed]: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [waiting]: Array(12).fill(0) },
    );
    expect(findSeconds([endpoint])).toBeUndefined();
    expect(findSeconds([endpoint, gauge(B, Array(12).fill(0))])).toBeUndefined();
  },
);

test('is undefined without a known server', () => {
  const endpoint = createEndpoint(A, { node_load1: 'gauge' }, { node_load1: Array(12).fill(0) });
  expect(findSeconds([endpoint])).toBeUndefined();
});
