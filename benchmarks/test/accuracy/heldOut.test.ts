import { expect, test } from 'vitest';
import { toWindow } from '../../src/accuracy/accuracyRun.ts';
import { generateHeldOutRuns } from '../../src/accuracy/heldOut.ts';

const runs = [...generateHeldOutRuns()];

test('generates the same runs in every process', () => {
  expect(runs.map(({ id }) => id)).toEqual([...new Set(runs.map(({ id }) => id))]);
  expect(runs).toHaveLength(35);
  expect([...generateHeldOutRuns()][7]).toEqual(runs[7]);
});

test.each(runs.map(run => [run.id, run] as const))('the truth of %s agrees with its buckets', (_, run) => {
  const { les, counts, bucket_counts: buckets, truth } = run;
  const total = counts.at(-1)!;
  expect(toWindow(run).counts.at(-1)).toBe(total);
  const last = buckets.at(-1)!;
  expect(last.at(-1)).toBe(total);
  // The bucket that contains the median.
  const index = last.findIndex(count => count >= (total + 1) / 2);
  expect(truth.p50).toBeLessThanOrEqual(les[index] === '+Inf' ? Infinity : Number(les[index]));
  expect(truth.p50).toBeGreaterThanOrEqual(index === 0 ? 0 : Number(les[Math.max(0, index - 2)]) * 0.5);
});
