import type { LabelFilter, MetricRole, RoleMetric, ServerDefinition } from '@org/servers';
import { computeOnce } from '../computeOnce.ts';
import { sum } from '../math.ts';
import { toPeriodStats } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { listCountedSeries, recognizeServers } from './metricSeries.ts';

/** A kind of server, such as vLLM, on one endpoint. */
export interface ServerInstance {
  /** Name of the kind of server. */
  readonly server: string;
  readonly definition: ServerDefinition;
  readonly endpoint: string;
  readonly roles: ServerDefinition['roles'];
  /** Returns the series of a role; empty if the server has none. */
  readonly series: (role: MetricRole) => readonly RunSeries[];
  /** The failed requests by cause, most frequent first. */
  readonly failures: readonly FailureCount[];
}

/** The number of failed requests with one cause. */
export interface FailureCount {
  readonly cause: string;
  readonly count: number;
  /** True if the clients cancelled these requests, so that the server did not fail. */
  readonly isCancellation: boolean;
}

/** Returns the sum of counts. */
export function sumCounts(counts: readonly Pick<FailureCount, 'count'>[]): number {
  return sum(counts.map(({ count }) => count));
}

/** Finds the kinds of servers on every endpoint of a run. */
export const findServerInstances: (run: Run) => readonly ServerInstance[] = computeOnce(listServerInstances);

function listServerInstances(run: Run): ServerInstance[] {
  return recognizeServers(run).flatMap(definition => {
    const { name: server, roles } = definition;
    const byEndpoint = new Map<string, Map<MetricRole, RunSeries[]>>();
    for (const [role, metric] of Object.entries(roles) as [MetricRole, RoleMetric][])
      for (const series of listRoleSeries(run, metric)) {
        const byRole = byEndpoint.get(series.endpoint) ?? new Map<MetricRole, RunSeries[]>();
        byEndpoint.set(series.endpoint, byRole);
        const list = byRole.get(role);
        if (list) list.push(series);
        else byRole.set(role, [series]);
      }
    const failures = countFailures(run, definition);
    for (const endpoint of failures.keys())
      if (!byEndpoint.has(endpoint)) byEndpoint.set(endpoint, new Map());
    return [...byEndpoint].map(([endpoint, byRole]) => ({
      server,
      definition,
      endpoint,
      roles,
      series: role => byRole.get(role) ?? [],
      failures: failures.get(endpoint) ?? [],
    }));
  });
}

/** Counts the failed requests of a kind of server, by endpoint. */
function countFailures(run: Run, { failures }: ServerDefinition): Map<string, FailureCount[]> {
  const byEndpoint = new Map<string, FailureCount[]>();
  for (const { metric, causeLabel, cause: defaultCause, where, cancellations = [] } of failures)
    for (const { endpoint, labels, stats } of selectSeries(listCountedSeries(run, metric), where)) {
      const { total = 0 } = toPeriodStats(stats);
      if (total <= 0) continue;
      const cause = (causeLabel && labels[causeLabel]) || defaultCause;
      const counts = byEndpoint.get(endpoint) ?? [];
      const previous = counts.find(count => count.cause === cause);
      const count = (previous?.count ?? 0) + total;
      const others = counts.filter(entry => entry !== previous);
      const isCancellation = cancellations.includes(cause);
      byEndpoint.set(
        endpoint,
        [...others, { cause, count, isCancellation }].sort((a, b) => b.count - a.count),
      );
    }
  return byEndpoint;
}

/** Lists the series of a role: on each endpoint, those of the first metric that exists, or of all that are added. */
function listRoleSeries(run: Run, { metrics, addsMetrics, where }: RoleMetric): RunSeries[] {
  const found = new Set<string>();
  return metrics.flatMap(metric => {
    const series = selectSeries(listCountedSeries(run, metric), where);
    const used = addsMetrics ? series : series.filter(({ endpoint }) => !found.has(endpoint));
    for (const { endpoint } of used) found.add(endpoint);
    return used;
  });
}

/** Selects the series whose label has one of the values of the filter. */
export function selectSeries(
  series: readonly RunSeries[],
  where: LabelFilter | undefined,
): readonly RunSeries[] {
  return where ? series.filter(({ labels }) => where.values.includes(labels[where.label] ?? '')) : series;
}

/**
 * Computes the total of a role's counters, corrected for resets. Returns undefined if the server does not have
 * the metric.
 */
export function computeTotal(
  instance: Pick<ServerInstance, 'roles' | 'series'>,
  role: MetricRole,
): number | undefined {
  const isHistogram = instance.roles[role]?.operation === 'observed';
  const totals = instance.series(role).flatMap(series => {
    const { total, sum: observed } = toPeriodStats(series.stats);
    return (isHistogram ? observed : total) ?? [];
  });
  return totals.length === 0 ? undefined : sum(totals);
}
