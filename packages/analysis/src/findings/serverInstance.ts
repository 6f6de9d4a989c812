import { type MetricRole, type RoleMetric, recognizeServers, type ServerDefinition } from '@org/servers';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readSliceValue, readStat, selectCompleteSlices } from '../run/series.ts';

/** Statistics of a gauge over the run: a number of requests, or cache usage as a fraction. */
export interface Level {
  readonly avg: number;
  readonly max: number;
  /** The mean of each complete slice; empty if the run was exported without slices. */
  readonly slices: readonly number[];
}

/** A kind of server, such as vLLM, on one endpoint. */
export interface ServerInstance {
  /** Name of the kind of server. */
  readonly server: string;
  readonly endpoint: string;
  readonly roles: ServerDefinition['roles'];
  /** Returns the series of a role; empty if the server has none. */
  readonly series: (role: MetricRole) => readonly RunSeries[];
}

/** Finds the kinds of servers on every endpoint of a run. */
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
 * Combines all series of a role, such as one per engine: adds numbers of requests, and takes the highest cache
 * usage. Returns undefined if the server does not have the metric.
 *
 * Cache usage is returned as a fraction; reported values above 1.5 are treated as percentages.
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

/** Reads a counter of time in microseconds. Its rate divided by 1e6 is the mean number of requests (Little's law). */
function readBusyLevel(series: RunSeries): Level[] {
  const rate = readStat(series, 'rate');
  if (rate === undefined) return [];
  return [{ avg: rate / 1e6, max: rate / 1e6, slices: readSlices(series).map(value => value / 1e6) }];
}

function readSlices(series: RunSeries): number[] {
  return selectCompleteSlices(series).map(readSliceValue);
}

/** Adds levels. The maximum of the result is an upper bound, because the maxima may occur at different times. */
function addLevels(a: Level, b: Level): Level {
  const longer = a.slices.length >= b.slices.length ? a.slices : b.slices;
  const shorter = longer === a.slices ? b.slices : a.slices;
  return {
    avg: a.avg + b.avg,
    max: a.max + b.max,
    slices: longer.map((value, i) => value + (shorter[i] ?? 0)),
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
