import type { Layout, Series } from '@org/core';

/**
 * Returns the values of a frame by series type, name and labels, independent of slots. Absent values are
 * omitted.
 */
export function mapFrame(layout: Layout, values: Float64Array): Record<string, number> {
  const entries: [string, number][] = [];
  for (const series of layout.series) {
    for (const [part, slot] of listSlots(series)) {
      const value = values[slot];
      if (value !== undefined && !Number.isNaN(value)) {
        entries.push([
          `${series.family.type} ${series.family.name}${part}${JSON.stringify(series.labels)}`,
          value,
        ]);
      }
    }
  }
  return Object.fromEntries(entries);
}

function listSlots(series: Series): [string, number][] {
  if (series.kind === 'scalar') return [['', series.value]];
  const parts: [string, number][] =
    series.kind === 'histogram'
      ? series.buckets.map(({ le, slot }) => [`<=${le}`, slot])
      : series.quantiles.map(({ quantile, slot }) => [`q${quantile}`, slot]);
  return [['_sum', series.sum], ['_count', series.count], ...parts];
}
