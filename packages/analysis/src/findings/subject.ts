import { type MetricRole, type RoleMetric, recognizeServers, type ServerDefinition } from '@org/servers';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readSliceValue, readStat, selectCompleteSlices } from '../run/series.ts';

/** A level over the run: requests at once, or the share of a cache that is taken. */
export interface Level {
  readonly avg: number;
  readonly max: number;
  /** One mean a complete slice; empty when the run was exported without slices. */
  readonly slices: readonly number[];
}

/** One kind of server on one endpoint. */
export interface ServerInstance {
  readonly server: string;
  readonly endpoint: string;
  readonly roles: ServerDefinition['roles'];
  /** The series that play a role; empty where the server has none. */
  readonly series: (role: MetricRole) => readonly RunSeries[];
}

/** Every kind of server of a run, endpoint by endpoint. */
export function findServerInstances(run: Run): ServerInstance[] {
  return recognizeServers(run.families.keys()).flatMap(({ name: server, roles }) => {
    const byEndpoint = new Map<string, Map<MetricRole, RunSeries[]>>();
    for (const [role, { metric }] of Object.entries(roles) as [MetricRole, RoleMetric][])
      for (const one of run.families.get(metric)?.series ?? []) {
        const found = byEndpoint.get(one.endpoint) ?? new Map<MetricRole, RunSeries[]>();
        byEndpoint.set(one.endpoint, found);
        const list = found.get(role);
        if (list) list.push(one);
        else found.set(role, [one]);
      }
    return [...byEndpoint].map(([endpoint, found]) => ({
      server,
      endpoint,
      roles,
      series: role => found.get(role) ?? [],
    }));
  });
}

/**
 * The level of a role: of several series (engines, models) the requests add up, of shares the fullest counts.
 * Undefined when the server does not have it.
 *
 * A share is between 0 and 1 whatever its unit: values above 1.5 are taken for percent.
 */
export function computeLevel(
  subject: ServerInstance,
  role: 'running' | 'waiting' | 'kvCacheUsage',
): Level | undefined {
  const levels = subject.series(role).flatMap(one => seriesLevel(one));
  if (levels.length === 0) return undefined;
  if (subject.roles[role]?.operation === 'max') {
    const fullest = levels.reduce((a, b) => (b.max > a.max ? b : a));
    const scale = fullest.max > 1.5 ? 0.01 : 1;
    const { avg, max, slices } = fullest;
    return { avg: avg * scale, max: max * scale, slices: slices.map(value => value * scale) };
  }
  return levels.reduce(added);
}

function seriesLevel(one: RunSeries): Level[] {
  const slices = selectCompleteSlices(one).map(readSliceValue);
  if (one.type !== 'counter') {
    const avg = readStat(one, 'avg');
    return avg === undefined ? [] : [{ avg, max: readStat(one, 'max') ?? avg, slices }];
  }
  const rate = readStat(one, 'rate');
  if (rate === undefined) return [];
  // Microseconds a second, in requests at once.
  return [{ avg: rate / 1e6, max: rate / 1e6, slices: slices.map(value => value / 1e6) }];
}

/** Highest values of several series need not be those of one instant: their sum is the highest that is possible. */
function added(a: Level, b: Level): Level {
  const long = a.slices.length >= b.slices.length ? a.slices : b.slices;
  const short = long === a.slices ? b.slices : a.slices;
  return {
    avg: a.avg + b.avg,
    max: a.max + b.max,
    slices: long.map((value, i) => value + (short[i] ?? 0)),
  };
}

/** What counters of a role counted in the run, resets corrected; undefined when the server does not have it. */
export function computeTotal(subject: ServerInstance, role: MetricRole): number | undefined {
  const totals = subject.series(role).flatMap(one => {
    const total = readStat(one, 'increase') ?? readStat(one, 'total');
    return total === undefined ? [] : [total];
  });
  return totals.length === 0 ? undefined : sum(totals);
}
