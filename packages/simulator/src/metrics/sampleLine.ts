import type { Labels } from '@org/core';
import type { ExpositionStyle } from './expositionStyle.ts';
import type { MetricFamily } from './registry.ts';
import { Counter, Gauge, Histogram, type Summary } from './series.ts';

/** A sample line: the constant text before the value, and a function that reads the value. */
export interface SampleLine {
  readonly prefix: string;
  readonly read: () => number;
}

/** Creates the sample lines of one series in the style's order, without the `_created` line. */
export function createSampleLines(
  family: MetricFamily,
  series: MetricFamily['series'][number],
  style: ExpositionStyle,
): SampleLine[] {
  const { name } = family;
  if (series instanceof Counter) {
    return [createLine(family.omitsTotal ? name : `${name}_total`, series.labels, () => series.value)];
  }
  if (series instanceof Gauge) {
    return [createLine(family.type === 'info' ? `${name}_info` : name, series.labels, () => series.value)];
  }
  if (series instanceof Histogram) {
    return style.histogram.flatMap(part => {
      if (part === 'bucket') return createBucketLines(name, series, style);
      return [createLine(`${name}_${part}`, series.labels, () => series[part])];
    });
  }
  return style.summary.flatMap(part => {
    if (part === 'quantile') return createQuantileLines(family, series, style);
    return [createLine(`${name}_${part}`, series.labels, () => series[part])];
  });
}

/** Creates the `_created` line of a series; undefined if the series has no creation time. */
export function createCreationLine(
  family: MetricFamily,
  series: MetricFamily['series'][number],
): SampleLine | undefined {
  if (series instanceof Gauge || !family.hasCreationTime) return undefined;
  return createLine(`${family.name}_created`, series.labels, () => series.createdS);
}

function createBucketLines(name: string, histogram: Histogram, style: ExpositionStyle): SampleLine[] {
  return Array.from(histogram.counts, (_, i) => {
    const le = i < histogram.bounds.length ? style.formatNumber(histogram.bounds[i]!) : '+Inf';
    return {
      prefix: `${name}_bucket${formatLabels(histogram.labels, ['le', le], style)} `,
      read: () => sumCounts(histogram.counts, i),
    };
  });
}

function createQuantileLines(family: MetricFamily, summary: Summary, style: ExpositionStyle): SampleLine[] {
  return family.quantiles.map(quantile => ({
    prefix: `${family.name}${formatLabels(summary.labels, ['quantile', String(quantile)], style)} `,
    read: () => summary.computeQuantile(quantile),
  }));
}

function createLine(name: string, labels: Labels, read: () => number): SampleLine {
  return { prefix: `${name}${formatBraces(labels)} `, read };
}

function formatLabels(labels: Labels, bound: readonly [string, string], style: ExpositionStyle): string {
  if (!style.sortsBoundLabel) return formatBraces([...labels, bound]);
  return formatBraces([...labels, bound].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function formatBraces(labels: Labels): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',')}}`;
}

function sumCounts(counts: Float64Array, last: number): number {
  let sum = 0;
  for (let i = 0; i <= last; i++) sum += counts[i]!;
  return sum;
}

/** Escapes a label value: backslash, line feed, double quote (exposition format 0.0.4, "Line format"). */
export function escapeLabelValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
