import type { Labels } from '@org/core';
import { escapeLabelValue } from './escape.ts';
import type { MetricFamily } from './registry.ts';
import { Counter, Gauge, Histogram, type Summary } from './series.ts';
import type { Style } from './style.ts';

/** One line of a body: the text before the value, which stays, and the value, which moves. */
export interface Row {
  readonly prefix: string;
  readonly read: () => number;
}

/** The sample lines of one series, in the style's order, without its creation time. */
export function rowsOf(family: MetricFamily, series: MetricFamily['series'][number], style: Style): Row[] {
  const { name } = family;
  if (series instanceof Counter) {
    return [row(family.bare ? name : `${name}_total`, series.labels, () => series.value)];
  }
  if (series instanceof Gauge) {
    return [row(family.type === 'info' ? `${name}_info` : name, series.labels, () => series.value)];
  }
  if (series instanceof Histogram) {
    return style.histogram.flatMap(part => {
      if (part === 'bucket') return bucketRows(name, series, style);
      return [row(`${name}_${part}`, series.labels, () => series[part])];
    });
  }
  return style.summary.flatMap(part => {
    if (part === 'quantile') return quantileRows(family, series, style);
    return [row(`${name}_${part}`, series.labels, () => series[part])];
  });
}

/** The line that tells when a series was created, or none for a type that has no such line. */
export function createdRow(family: MetricFamily, series: MetricFamily['series'][number]): Row | undefined {
  if (series instanceof Gauge || !family.created) return undefined;
  return row(`${family.name}_created`, series.labels, () => series.createdS);
}

function bucketRows(name: string, histogram: Histogram, style: Style): Row[] {
  return Array.from(histogram.counts, (_, i) => {
    const le = i < histogram.bounds.length ? style.number(histogram.bounds[i]!) : '+Inf';
    return {
      prefix: `${name}_bucket${labelText(histogram.labels, ['le', le], style)} `,
      read: () => cumulative(histogram.counts, i),
    };
  });
}

function quantileRows(family: MetricFamily, summary: Summary, style: Style): Row[] {
  return family.quantiles.map(quantile => ({
    prefix: `${family.name}${labelText(summary.labels, ['quantile', String(quantile)], style)} `,
    read: () => summary.quantile(quantile),
  }));
}

function row(name: string, labels: Labels, read: () => number): Row {
  return { prefix: `${name}${braces(labels)} `, read };
}

function labelText(labels: Labels, bound: readonly [string, string], style: Style): string {
  if (!style.boundAmongLabels) return braces([...labels, bound]);
  return braces([...labels, bound].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function braces(labels: Labels): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',')}}`;
}

function cumulative(counts: Float64Array, upTo: number): number {
  let sum = 0;
  for (let i = 0; i <= upTo; i++) sum += counts[i]!;
  return sum;
}
