import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CertainFailure, countEnough, createMonitor } from '../../src/search/certainFailure.ts';
import type { SearchPlan } from '../../src/search/searchPlan.ts';

/** Returns a percentile by linear interpolation, as in the exports. */
function computePercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(rank)]!;
  return lower + (sorted[Math.ceil(rank)]! - lower) * (rank - Math.floor(rank));
}

const LIMIT = {
  limit: { metric: 'request_latency', share: 0.95, max: 100 },
  rule: 'request_latency.p95 < 100',
};
const measure = (value: number) => ({ request_latency: { value, unit: 'ms' } });

test('a run that ends early would have failed its limit, whatever the other requests measure', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 2, maxLength: 200 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const monitor = new CertainFailure([{ ...LIMIT, limit: { ...LIMIT.limit, share } }], values.length);
        const endedAt = values.findIndex(value => monitor.add(measure(value)));
        if (endedAt !== -1) expect(computePercentile(values, share)).toBeGreaterThan(100);
        // The best case of the remaining requests does not help either.
        const best = values.map((value, index) => (endedAt !== -1 && index > endedAt ? 0 : value));
        if (endedAt !== -1) expect(computePercentile(best, share)).toBeGreaterThan(100);
      },
    ),
  );
});

test.each([
  { share: 0.95, requests: 100, enough: 6 },
  { share: 0.99, requests: 100, enough: 2 },
  { share: 0.5, requests: 10, enough: 6 },
  { share: 1, requests: 10, enough: 1 },
])(
  'of $requests requests, $enough above the limit decide the percentile $share',
  ({ share, requests, enough }) => {
    expect(countEnough(share, requests)).toBe(enough);
  },
);

test('failed requests, which have no value, do not count', () => {
  const monitor = new CertainFailure([LIMIT], 10);
  expect([monitor.add({}), monitor.add({}), monitor.add(measure(300))]).toEqual([false, false, false]);
  expect(monitor.add(measure(300))).toBe(true);
  expect(monitor.reason).toContain('2 of 10 requests');
});

const plan = (rule: string): SearchPlan => ({ limits: [{ rule }] }) as unknown as SearchPlan;

test.each([
  ['time_to_first_token.p95 < 0.2s', true],
  ['request_latency.max <= 200ms', true],
  ['request_latency.avg < 200', false],
  ['max(vllm:num_requests_waiting) < 5', true],
  ['avg(vllm:num_requests_waiting) < 5', false],
  ['output_token_throughput.p95 < 5', false],
])('the limit %s can end a run early: %s', (rule, expected) => {
  expect(createMonitor(plan(rule), { profiling: { requestCount: 100 } }) !== undefined).toBe(expected);
});

test('without a fixed number of requests, only a maximum can end a run early', () => {
  const profiling = { durationS: 9 };
  expect(createMonitor(plan('request_latency.p95 < 5'), { profiling })).toBeUndefined();
  const monitor = createMonitor(plan('request_latency.max < 5'), { profiling })!;
  expect([monitor.add(measure(5)), monitor.reason]).toEqual([false, undefined]);
  expect(monitor.add(measure(6))).toBe(true);
  expect(monitor.reason).toContain('a request is above the limit, so request_latency.max < 5 has failed');
});
