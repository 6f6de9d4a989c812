import { compareRuns } from '@org/analysis';
import { expect, test } from 'vitest';
import { countDetected, countFlaggedPairs } from '../../src/compare/outcomes.ts';
import { simulateRun } from '../../src/compare/simulatedRun.ts';

const short = { arrivalRate: 12, seconds: 20, warmupSeconds: 2 };

test('returns the same run for the same options, and another one for another seed', () => {
  const [first, same, other] = [1, 1, 2].map(
    seed => simulateRun({ ...short, seed }).families.get('vllm:generation_tokens')!.series[0]!.stats.total,
  );
  expect(same).toBe(first);
  expect(other).not.toBe(first);
});

test('contains server metrics of the profiling phase, and client metrics of its requests', () => {
  const { families, times } = simulateRun({ ...short, seed: 1 });
  const read = (name: string) => families.get(name)!.series[0]!;
  expect(times.profilingSeconds).toBe(20);
  expect(read('vllm:time_to_first_token_seconds').slices).toHaveLength(10);
  const ms = 1000 * read('vllm:time_to_first_token_seconds').stats.avg!;
  expect(read('time_to_first_token').stats.avg! / ms).toBeCloseTo(1, 1);
  expect(read('time_to_first_token').slices.length).toBeGreaterThanOrEqual(9);
  expect(read('request_count').stats.avg).toBeGreaterThan(100);
});

test('counts pairs with any difference, and pairs in which a metric got worse', () => {
  const [base, other] = [12, 60].map(arrivalRate => simulateRun({ ...short, arrivalRate, seed: 3 }));
  expect(countFlaggedPairs([base!, base!, other!])).toEqual({ pairs: 3, flagged: 2 });
  expect(countDetected([base!], [base!, other!], 'vllm:inter_token_latency_seconds')).toEqual({
    pairs: 2,
    detected: 1,
  });
  expect(compareRuns([base!], [other!]).rows.length).toBeGreaterThan(20);
});
