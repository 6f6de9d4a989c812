import type { Run } from '@org/analysis';
import { type DescribedMetric, findMetrics } from '@org/servers/metrics';
import type { TimeChart } from '../../svg/timeChartModel.ts';

/** Describes the metrics of charts: what they mean, which values are better, and what to watch. */
export function listMeanings(
  charts: readonly TimeChart[],
  { servers }: Pick<Run, 'servers'>,
): Record<string, string> {
  const names = new Set(charts.flatMap(({ metrics }) => metrics));
  return Object.fromEntries(
    [...names].flatMap(name => {
      const [metric] = findMetrics(name, servers);
      return metric ? [[name, describeMetric(metric)]] : [];
    }),
  );
}

function describeMetric({ meaning, better, watch, type }: DescribedMetric): string {
  const direction =
    better === undefined || better === 'neither'
      ? undefined
      : `${better === 'higher' ? 'Higher' : 'Lower'} is better.`;
  const rate = type === 'counter' ? 'Drawn as its increase per second.' : undefined;
  return [meaning, direction, watch && `Watch: ${watch}`, rate].filter(Boolean).join(' ');
}
