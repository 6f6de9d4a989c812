import { type MetricRole, type RoleMetric, recognizeServers, type ServerDefinition } from '@org/servers';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readSliceValue, readStat, selectCompleteSlices } from '../run/series.ts';

/** A number of requests, or the usage of a cache as a fraction, over the run. */
export interface Level {
  readonly avg: number;
  readonly max: number;
  /** The mean of each complete slice; empty if the run was exported without slices. */
  readonly slices: readonly number[];
}

/** One kind of server on one endpoint. */
export interface ServerInstance {
  readonly server: string;
  readonly endpoint: string;
  readonly roles: ServerDefinition['roles'];
  /** Returns the series of a role; empty if the server has none. */
  readonly series: (role: MetricRole) => readonly RunSeries[];
}

/** Finds every kind of server on every endpoint of a run. */
export function findServerInstances(run: Run): ServerInstance[] {
  return recognizeServers(run.families.keys()).flatMap(({ name: server, roles }) => {
    const byEndpoint = new Map<string, Map<MetricRole, RunSeries[]>>();
    for (const [role, { metric }] of Object.entries(roles) as [MetricRole, RoleMetric][])
      for (const series of run.families.get(metric)?.series ?? []) {
        const byRole = byEndpoint.get(series.endpoint) ?? new Map<MetricRole, RunSeries[]>();
        byEndpoint.set(series.endpoint, byRole);
        const list = byRole.get(role);
        if (list) list.push(series);
        else byRole.set(role, [series]);
      }
    return [...byEndpoint].map(([endpoint, byRole]) => ({
      server,
      endpoint,
      roles,
      series: role => byRole.get(role) ?? [],
    }));
  });
}

/**
 * Computes the level of a role from all of its series, such as one for each engine: the sum of requests, or the
 * highest usage. Returns undefined if the server does not have the metric.
 *
 * Usage is a fraction, whatever the unit: values above 1.5 are percentages.
 */
export function computeLevel(
  instance: ServerInstance,
  role: 'running' | 'waiting' | 'kvCacheUsage',
): Level | undefined {
  const operation = instance.roles[role]?.operation;
  const levels = instance.series(role).flatMap(operation === 'busy' ? readBusyLevel : readGaugeLevel);
  if (levels.length === 0) return undefined;
  if (operation === 'max') {
    const fullest = levels.reduce((a, b) => (b.max > a.max ? b : a));
    const scale = fullest.max > 1.5 ? 0.01 : 1;
    const { avg, max, slices } = fullest;
    return { avg: avg * scale, max: max * scale, slices: slices.map(value => value * scale) };
  }
  return levels.reduce(addLevels);
}

function readGaugeLevel(series: RunSeries): Level[] {
  const avg = readStat(series, 'avg');
  if (avg === undefined) return [];
  return [{ avg, max: readStat(series, 'max') ?? avg, slices: readSlices(series) }];
}

/** Reads a counter of microseconds: its rate, divided by 1e6, is the mean number of requests (Little's law). */
function readBusyLevel(series: RunSeries): Level[] {
  const rate = readStat(series, 'rate');
  if (rate === undefined) return [];
  return [{ avg: rate / 1e6, max: rate / 1e6, slices: readSlices(series).map(value => value / 1e6) }];
}

function readSlices(series: RunSeries): number[] {
  return selectCompleteSlices(series).map(readSliceValue);
}

/** Adds levels. The maximum is an upper bound, because series need not have their maxima at the same time. */
function addLevels(a: Level, b: Level): Level {
  const long = a.slices.length >= b.slices.length ? a.slices : b.slices;
  const short = long === a.slices ? b.slices : a.slices;
  return {
    avg: a.avg + b.avg,
    max: a.max + b.max,
    slices: long.map((value, i) => value + (short[i] ?? 0)),
  };
}

/**
 * Computes the total of a role's counters, corrected for resets. Returns undefined if the server does not have
 * the metric.
 */
export function computeTotal(instance: ServerInstance, role: MetricRole): number | undefined {
  const totals = instance.series(role).flatMap(series => {
    const total = readStat(series, 'increase') ?? readStat(series, 'total');
    return total === undefined ? [] : [total];
  });
  return totals.length === 0 ? undefined : sum(totals);
}
