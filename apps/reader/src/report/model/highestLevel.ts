import { type Run, readStat, selectRoleSeries } from '@org/analysis';
import type { MetricRole } from '@org/servers';
import type { Values } from '../../svg/timeChartModel.ts';
import { findMaximum } from './values.ts';

/** Roles whose maximum over time is shown. */
type LevelRole = Extract<MetricRole, 'running' | 'waiting' | 'kvCacheUsage'>;

/**
 * Returns the highest value of a role: the maximum of the chart, or a single sample of a server if it is higher. A point of a
 * chart is the mean of several samples. Cache usage is in percent.
 */
export function findHighestLevel(run: Run, role: LevelRole, course: Values): number | undefined {
  const samples = selectRoleSeries(run, role)
    .filter(({ series, operation }) => operation !== 'busy' && series.type !== 'histogram')
    .flatMap(({ series }) => readStat(series, 'max') ?? []);
  const highest = findMaximum(samples);
  const values = [findMaximum(course), highest && highest * findScale(role, highest)];
  return findMaximum(values.map(value => value ?? null));
}

/** Servers report shares as fractions or as percentages; see `RoleMetric`. */
function findScale(role: LevelRole, highest: number): number {
  return role === 'kvCacheUsage' && highest <= 1.5 ? 100 : 1;
}
