import { expect, test } from 'vitest';
import { computeRequestTime, type RequestTime } from '../../src/requestTime/requestTime.ts';
import { createRun } from '../../src/run/run.ts';
import { createDocument, createSlices, healthyInfo, URL_A } from '../documents.ts';
import { createLatencies, VLLM } from './metrics.ts';

/** Creates a client that measured the requests that ended in each slice of 2 s. */
function computeWithSlices(ended: readonly { count: number; avg: number }[]): RequestTime {
  const view = createDocument(createLatencies(VLLM, { slices: true }), { [URL_A]: healthyInfo });
  const timeslices = createSlices(ended).map(({ start_ns, end_ns, count, avg }) => ({
    start_ns,
    end_ns,
    ended_request_count: { unit: 'requests', avg: count },
    ended_request_latency: { unit: 'ms', avg },
  }));
  return computeRequestTime(
    createRun({
      name: 'a',
      layout: 'json',
      files: {},
      view,
      clientMetrics: new Map([['request_latency', { unit: 'ms', count: 100, avg: 1010 }]]) as never,
      clientTimeslices: { timeslices } as never,
    }),
  )!;
}

test.each<[string, { count: number; avg: number }[], (number | null)[]]>([
  [
    'the same numbers of requests',
    [
      { count: 50, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [20, 5],
  ],
  [
    'a slightly different number',
    [
      { count: 49, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [20, 5],
  ],
  [
    'other requests in one slice',
    [
      { count: 40, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [5],
  ],
  ['a slice that the client lacks', [{ count: 50, avg: 520 }], [20]],
  [
    'a slice where the server measured more',
    [
      { count: 50, avg: 300 },
      { count: 50, avg: 1005 },
    ],
    [5],
  ],
])('the time outside of the servers over time: %s', (_, ended, means) => {
  const outside = computeWithSlices(ended).stages.find(({ stage }) => stage === 'outside')!;
  expect(outside.meanMs).toBeCloseTo(10, 9);
  expect(outside.slices.map(({ meanMs }) => Math.round(meanMs))).toEqual(means);
});
