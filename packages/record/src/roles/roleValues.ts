import type { HistogramSeries, Layout, ScalarSeries, Series } from '@org/core';
import {
  type LabelFilter,
  type LatencyMetric,
  type MetricRole,
  type ServerCatalog,
  type ServerDefinition,
  selectRoleServers,
  servesRequests,
} from '@org/servers';

/** The roles whose gauges are read. */
export const GAUGE_ROLES = ['running', 'maxRunning', 'waiting', 'kvCacheUsage'] as const;
/** The roles whose counters are read. */
export const COUNTER_ROLES = [
  'completedRequests',
  'outputTokens',
  'promptTokens',
  'preemptions',
  'cacheHits',
  'cacheQueries',
] as const;
/** The latencies whose histograms are read. */
export const LATENCY_ROLES = ['timeToFirstToken', 'interTokenLatency', 'requestLatency'] as const;

export type GaugeRole = (typeof GAUGE_ROLES)[number];
export type CounterRole = (typeof COUNTER_ROLES)[number];
export type LatencyRole = (typeof LATENCY_ROLES)[number];

/** The lists of latencies in definitions, by role. */
const LATENCY_LISTS = {
  timeToFirstToken: 'firstToken',
  interTokenLatency: 'interToken',
  requestLatency: 'latency',
} as const;

/** The series of a role on an endpoint, of one kind of server. */
export interface RoleSource {
  readonly definition: ServerDefinition;
  readonly series: readonly Series[];
}

/** The histograms of a latency on an endpoint, of one kind of server. */
export interface LatencySource {
  readonly definition: ServerDefinition;
  readonly unitMs: number;
  readonly series: readonly HistogramSeries[];
}

/** A counter of failed requests on an endpoint. */
export interface FailureSource {
  readonly definition: ServerDefinition;
  readonly series: readonly ScalarSeries[];
}

/** The series of an endpoint that a live state is read from. */
export interface EndpointSources {
  /** The kinds of servers that requests pass. */
  readonly servers: readonly ServerDefinition[];
  readonly roles: ReadonlyMap<GaugeRole | CounterRole, readonly RoleSource[]>;
  readonly latencies: ReadonlyMap<LatencyRole, readonly LatencySource[]>;
  readonly failures: readonly FailureSource[];
}

/** Finds the series of roles, latencies and failures in the layout of an endpoint. */
export function findSources({ series }: Pick<Layout, 'series'>, catalog: ServerCatalog): EndpointSources {
  const byName = groupByFamily(series);
  const servers = catalog.recognize(byName.keys(), name =>
    (byName.get(name)?.[0]?.labels ?? []).map(([label]) => label),
  );
  const serving = servers.filter(servesRequests);
  const find = (metric: string, where: LabelFilter | undefined): readonly Series[] =>
    findSeries(byName, metric, where, catalog);
  const roles = new Map<GaugeRole | CounterRole, readonly RoleSource[]>();
  for (const role of [...GAUGE_ROLES, ...COUNTER_ROLES]) roles.set(role, findRole(role, serving, find));
  const latencies = new Map<LatencyRole, readonly LatencySource[]>();
  for (const role of LATENCY_ROLES) latencies.set(role, findLatency(role, serving, find));
  return { servers: serving, roles, latencies, failures: findFailures(serving, find) };
}

type FindSeries = (metric: string, where: LabelFilter | undefined) => readonly Series[];

function findRole(
  role: MetricRole,
  servers: readonly ServerDefinition[],
  find: FindSeries,
): readonly RoleSource[] {
  return servers.flatMap(definition => {
    const metric = definition.roles[role];
    if (metric === undefined || metric.valueLabel !== undefined) return [];
    const found = metric.metrics.map(name => find(name, metric.where)).filter(({ length }) => length > 0);
    const series = metric.addsMetrics ? found.flat() : (found[0] ?? []);
    return series.length > 0 ? [{ definition, series }] : [];
  });
}

function findLatency(
  role: LatencyRole,
  servers: readonly ServerDefinition[],
  find: FindSeries,
): readonly LatencySource[] {
  return servers.flatMap(definition => {
    const metrics: readonly LatencyMetric[] = definition.reconciliation[LATENCY_LISTS[role]];
    for (const { name, unitMs, where } of metrics) {
      const series = find(name, where);
      const histograms = series.filter((one): one is HistogramSeries => one.kind === 'histogram');
      if (histograms.length > 0) return [{ definition, unitMs, series: histograms }];
      // The first metric that exists is used, also if it has no percentiles.
      if (series.length > 0) return [];
    }
    return [];
  });
}

function findFailures(servers: readonly ServerDefinition[], find: FindSeries): readonly FailureSource[] {
  return servers.flatMap(definition =>
    definition.failures.flatMap(({ metric, where, causeLabel, cancellations = [], cause }) => {
      const series = find(metric, where)
        .filter((one): one is ScalarSeries => one.kind === 'scalar')
        .filter(({ labels }) => {
          const found = labels.find(([label]) => label === causeLabel)?.[1] || cause;
          return !cancellations.includes(found);
        });
      return series.length > 0 ? [{ definition, series }] : [];
    }),
  );
}

function groupByFamily(series: readonly Series[]): Map<string, Series[]> {
  const byName = new Map<string, Series[]>();
  for (const one of series) {
    const list = byName.get(one.family.name);
    if (list) list.push(one);
    else byName.set(one.family.name, [one]);
  }
  return byName;
}

/** Returns the series of a metric, under the first of its names that exists. */
function findSeries(
  byName: ReadonlyMap<string, readonly Series[]>,
  metric: string,
  where: LabelFilter | undefined,
  catalog: ServerCatalog,
): readonly Series[] {
  const name = catalog.listNames(metric).find(candidate => byName.has(candidate));
  const series = name === undefined ? [] : byName.get(name)!;
  const counted = catalog.omitRepeats(metric, series, ({ labels }) => Object.fromEntries(labels));
  if (where === undefined) return counted;
  return counted.filter(({ labels }) =>
    where.values.includes(labels.find(([label]) => label === where.label)?.[1] ?? ''),
  );
}

/** Selects the sources of a role that together count each request once. */
export function selectSources<T extends { readonly definition: ServerDefinition }>(
  role: MetricRole,
  sources: readonly T[],
): readonly T[] {
  return selectRoleServers(role, sources, ({ definition }) => definition.kind);
}
