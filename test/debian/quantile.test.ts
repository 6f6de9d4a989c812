import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { estimateLinearPercentiles } from '../../packages/core/dist/index.js';
import type { Histogram } from './histogram.ts';
import { queryPrometheus } from './prometheus.ts';

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;
const runs = inject('runs');

/** The percentile method `linear` is documented to equal Prometheus' histogram_quantile. */
describe.skipIf(!runs)('linear percentiles and histogram_quantile', () => {
  test.each(PERCENTS)('agree on all cases, edge cases included: p%i', async percent => {
    const { prometheus, cases, afterS } = runs!;
    const prometheusValues = await queryQuantiles(prometheus, percent, 'still_bucket', afterS);
    const servelensValues = new Map(
      Object.entries(cases).map(([name, histogram]) => [name, computePercentile(histogram, percent)]),
    );
    expect(prometheusValues.size).toBe(servelensValues.size);
    expect(findDifferences(servelensValues, prometheusValues)).toEqual([]);
    // The cases include finite and undefined quantiles.
    expect([...prometheusValues.values()].filter(Number.isFinite).length).toBeGreaterThan(250);
    expect([...prometheusValues.values()].filter(Number.isNaN).length).toBeGreaterThanOrEqual(3);
  });

  test.each(PERCENTS)('agree on the observations of an exported run: p%i', async percent => {
    const { prometheus, histograms, beforeS, afterS } = runs!;
    const increase = `moving_bucket - (moving_bucket @ ${beforeS.toFixed(3)})`;
    const prometheusValues = await queryQuantiles(prometheus, percent, increase, afterS);
    const servelensValues = readExportedPercentiles(histograms, percent);
    expect(servelensValues.size).toBe(100);
    expect(findDifferences(servelensValues, prometheusValues)).toEqual([]);
    expect([...servelensValues.values()].filter(Number.isFinite).length).toBeGreaterThan(80);
  });
});

async function queryQuantiles(
  url: string,
  percent: number,
  buckets: string,
  time: number,
): Promise<Map<string, number>> {
  const results = await queryPrometheus(url, `histogram_quantile(${percent / 100}, ${buckets})`, time);
  return new Map(results.map(({ metric, samples }) => [metric.case!, parseValue(samples[0]![1])]));
}

function parseValue(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  return Number(text);
}

/** Returns the percentile of all observations of a histogram, or NaN if it is undefined. */
function computePercentile(
  { bounds, cumulative, sum = 0 }: Histogram,
  percent: (typeof PERCENTS)[number],
): number {
  const count = cumulative.at(-1)!;
  const percentiles = estimateLinearPercentiles({
    timesNs: Float64Array.of(0, 1e9),
    sums: Float64Array.of(0, sum),
    counts: Float64Array.of(0, count),
    bounds: bounds.map(le => ({ le, text: String(le) })),
    cumulative: cumulative.map(value => Float64Array.of(0, value)),
  });
  return percentiles?.[`p${percent}`] ?? Number.NaN;
}

interface Metric {
  readonly series: readonly {
    readonly labels: { readonly case: string };
    readonly stats: Readonly<Record<string, number>>;
  }[];
}

function readExportedPercentiles(folder: string, percent: number): Map<string, number> {
  const document = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8'));
  const { series } = document.metrics.moving as Metric;
  return new Map(
    series.map(({ labels, stats }) => [labels.case, stats[`p${percent}_estimate`] ?? Number.NaN]),
  );
}

/** Returns the cases whose results differ by more than a relative 1e-9. */
function findDifferences(
  servelensValues: ReadonlyMap<string, number>,
  prometheusValues: ReadonlyMap<string, number>,
): string[] {
  return [...servelensValues]
    .filter(([name, value]) => {
      const prometheusValue = prometheusValues.get(name) ?? Number.NaN;
      return (
        !Object.is(value, prometheusValue) &&
        !(Math.abs(value - prometheusValue) <= 1e-9 * Math.abs(prometheusValue))
      );
    })
    .map(([name, value]) => `${name}: ${value}, Prometheus returns ${prometheusValues.get(name)}`);
}
