import { type Run, type RunSeries, readStat } from '@org/analysis';
import type { PercentileChart } from './document.ts';
import { findWatchedFamilies } from './watchedFamilies.ts';

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;
/** More lines than that cannot be told apart. */
const MAX_SERIES = 8;

/** The percentile charts of the histograms that are key metrics. */
export function buildPercentileCharts(run: Run): PercentileChart[] {
  return findWatchedFamilies(run)
    .filter(({ family }) => family.type === 'histogram')
    .flatMap(({ family, meaning }) => {
      const estimated = family.series.filter(one => readStat(one, 'p50_estimate') !== undefined);
      if (estimated.length === 0) return [];
      const busiest = [...estimated].sort(
        (a, b) => (readStat(b, 'count') ?? 0) - (readStat(a, 'count') ?? 0),
      );
      return [
        {
          name: family.name,
          meaning,
          unit: family.unit,
          percents: PERCENTS,
          series: busiest.slice(0, MAX_SERIES).map(one => lineOf(one, estimated)),
        },
      ];
    });
}

function lineOf(one: RunSeries, all: readonly RunSeries[]): PercentileChart['series'][number] {
  return {
    name: nameOf(one, all),
    values: PERCENTS.map(percent => readStat(one, `p${percent}_estimate`) ?? null),
    low: PERCENTS.map(percent => bound(one, percent, 0)),
    high: PERCENTS.map(percent => bound(one, percent, 1)),
  };
}

/** Null for an open end, and where the export says nothing of bounds. */
function bound({ bounds }: RunSeries, percent: number, end: 0 | 1): number | null {
  const found = bounds?.[`p${percent}`] as readonly (number | null)[] | undefined;
  return found?.[end] ?? null;
}

/** Endpoint and labels, as far as they tell it apart. */
function nameOf(one: RunSeries, all: readonly RunSeries[]): string {
  const telling = Object.entries(one.labels).filter(([name, value]) =>
    all.some(other => other.labels[name] !== value),
  );
  const labels = telling.map(([name, value]) => `${name}=${value}`);
  const endpoints = new Set(all.map(({ endpoint }) => endpoint)).size > 1 ? [one.endpoint] : [];
  return [...endpoints, ...labels].join(' ') || one.endpoint;
}
