import type { ServerMetricsDocument } from '@org/formats';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { OpenRequests } from '../../src/reconciliation/openRequests.ts';
import { findStalls } from '../../src/reconciliation/stalls.ts';

const ORIGIN_NS = 1_795_254_800_000_000_000n;
const toNs = (seconds: number): bigint => ORIGIN_NS + BigInt(Math.round(seconds * 1e9));

/** Finds stalls of a run that starts to profile after 1 s. Requests and idle periods are in seconds. */
function find(
  requests: readonly (readonly [number, number])[],
  idle: readonly (readonly [number, number])[],
  gaps: readonly (readonly (readonly [number, number])[])[] = [],
): string[] {
  const open = new OpenRequests();
  for (const [start, end] of requests) open.add(start * 1e9, end * 1e9);
  const toRanges = (ranges: readonly (readonly [number, number])[]): object[] =>
    ranges.map(([start, end]) => ({ start_ns: toNs(start), end_ns: toNs(end) }));
  const urls = gaps.map((_, index) => `http://server:${index}/metrics`);
  const endpoint_info = Object.fromEntries(urls.map((url, index) => [url, { gaps: toRanges(gaps[index]!) }]));
  const document = {
    summary: { profiling_start_ns: toNs(1), idle_periods: toRanges(idle), endpoint_info },
    metrics: { 'vllm:request_success': { series: urls.map(url => ({ endpoint_url: url })) } },
  } as unknown as ServerMetricsDocument;
  return findStalls(document, { open, originNs: ORIGIN_NS }, builtInServers).map(
    ({ message }) => message.split(';')[0]!,
  );
}

const COLD = Array.from({ length: 8 }, () => [1.02, 15.5] as const);

test.each<[string, Parameters<typeof find>, string[]]>([
  [
    'a cold start: 8 requests open, 0 running for 13 s',
    [COLD, [[1, 14.4]]],
    [
      'for 13.2 s (0.3 s to 13.4 s), the servers reported no running requests and no output, although 8 requests were open on the client',
    ],
  ],
  [
    'time without open requests',
    [
      [
        [1.1, 2],
        [9, 10],
      ],
      [[2.2, 8.8]],
    ],
    [],
  ],
  ['requests that end before the idle period', [[[1.1, 3]], [[3.1, 9]]], []],
  ['requests that are sent at the end of an idle period', [[[6.9, 9]], [[1, 7]]], []],
  ['a short gap', [[[1.1, 9]], [[4, 6]]], []],
  [
    'a server that stops in the middle of a run',
    [
      [
        [1.1, 2],
        [3, 12],
        [4, 12],
      ],
      [[3.5, 11]],
    ],
    [
      'for 7.3 s (2.8 s to 10.0 s), the servers reported no running requests and no output, although 2 requests were open on the client',
    ],
  ],
  [
    'a server that hangs: no metrics, and no request ends',
    [
      [
        [1.1, 6.1],
        [3, 15.9],
        [6.2, 15.9],
      ],
      [],
      [[[5.7, 16.2]]],
    ],
    [
      'for 9.5 s (5.3 s to 14.8 s), the servers returned no metrics and completed no requests, although 2 requests were open on the client',
    ],
  ],
  [
    'a server whose metrics are missing while it completes requests',
    [Array.from({ length: 20 }, (_, i) => [1 + i, 2.5 + i] as const), [], [[[5.7, 16.2]]]],
    [],
  ],
  ['one of two servers that hangs', [[[5, 16]], [], [[[5.7, 16.2]], []]], []],
])('finds stalls of %s', (_, args, expected) => {
  expect(find(...args)).toEqual(expected);
});
