import { expect, test } from 'vitest';
import { generateSeries } from '../../src/exports/syntheticSeries.ts';

const ROWS = 30_000;

function countRows(series: ReturnType<typeof generateSeries>): number {
  let rows = 0;
  for (const { timestampsNs, histogram } of series)
    rows += timestampsNs.length * (histogram?.bounds.length ?? 1);
  return rows;
}

test('generates about the requested number of rows, sorted by metric', () => {
  expect(Math.abs(countRows(generateSeries(ROWS)) / ROWS - 1)).toBeLessThan(0.01);
  const names = Array.from(generateSeries(ROWS), ({ metricName }) => metricName);
  expect(names).toEqual(names.toSorted());
});

test('generates the same series for the same arguments', () => {
  expect([...generateSeries(1000)]).toEqual([...generateSeries(1000)]);
});

test('contains cumulative buckets, the last of which equals the count', () => {
  for (const { histogram } of generateSeries(ROWS)) {
    if (!histogram) continue;
    const last = histogram.counts.length - 1;
    const buckets = histogram.bucketCounts.map(column => column[last]!);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(histogram.counts[last]);
  }
});
