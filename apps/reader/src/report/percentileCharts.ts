import { type Run, type RunSeries, readStat } from '@org/analysis';
import type { PercentileChart } from './document.ts';
import { findKeyFamilies } from './keyFamilies.ts';

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;
/** The maximum number of lines per chart. More lines would be indistinguishable. */
const MAX_SERIES = 8;

/** Builds a percentile chart for each key metric that is a histogram. */
export function buildPercentileCharts(run: Run): PercentileChart[] {
  return findKeyFamilies(run)
    .filter(({ family }) => family.type === 'histogram')
    .flatMap(({ family, meaning }) => {
      const seriesWithEstimates = family.series.filter(
        series => readStat(series, 'p50_estimate') !== undefined,
      );
      if (seriesWithEstimates.length === 0) return [];
      const busiest = [...seriesWithEstimates].sort(
        (a, b) => (readStat(b, 'count') ?? 0) - (readStat(a, 'count') ?? 0),
      );
      return [
        {
          name: family.name,
          meaning,
          unit: family.unit,
          percents: PERCENTS,
          series: busiest.slice(0, MAX_SERIES).map(series => buildLine(series, seriesWithEstimates)),
        },
      ];
    });
}

function buildLine(series: RunSeries, chartSeries: readonly RunSeries[]): PercentileChart['series'][number] {
  return {
    name: formatSeriesName(series, chartSeries),
    values: PERCENTS.map(percent => readStat(series, `p${percent}_estimate`) ?? null),
    low: PERCENTS.map(percent => readBound(series, percent, 0)),
    high: PERCENTS.map(percent => readBound(series, percent, 1)),
  };
}

/** Returns the lower (0) or upper (1) bound of a percentile, or null if the bound is infinite or not in the export. */
function readBound({ bounds }: RunSeries, percent: number, end: 0 | 1): number | null {
  const interval = bounds?.[`p${percent}`] as readonly (number | null)[] | undefined;
  return interval?.[end] ?? null;
}

/** Formats the endpoint and the labels that distinguish a series from the other series of a chart. */
function formatSeriesName(series: RunSeries, chartSeries: readonly RunSeries[]): string {
  const labels = Object.entries(series.labels)
    .filter(([name, value]) => chartSeries.some(other => other.labels[name] !== value))
    .map(([name, value]) => `${name}=${value}`);
  const endpoints = new Set(chartSeries.map(({ endpoint }) => endpoint)).size > 1 ? [series.endpoint] : [];
  return [...endpoints, ...labels].join(' ') || series.endpoint;
}
