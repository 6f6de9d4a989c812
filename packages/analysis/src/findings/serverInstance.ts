import { type MetricRole, type RoleMetric, recognizeServers, type ServerDefinition } from '@org/servers';
import { sum } from '../math.ts';
import { toPeriodStats } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';

/** A kind of server, such as vLLM, on one endpoint. */
export interface ServerInstance {
  /** Name of the kind of server. */
  readonly server: string;
  readonly definition: ServerDefinition;
  readonly endpoint: string;
  readonly roles: ServerDefinition['roles'];
  /** Returns the series of a role; empty if the server has none. */
  readonly series: (role: MetricRole) => readonly RunSeries[];
}

/** Finds the kinds of servers on every endpoint of a run. */
export function findServerInstances(run: Run): ServerInstance[] {
  return recognizeServers(run.families.keys()).flatMap(definition => {
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
    return [...byEndpoint].map(([endpoint, byRole]) => ({
      server,
      definition,
      endpoint,
      roles,
      series: role => byRole.get(role) ?? [],
    }));
  });
}

function listRoleSeries({ families }: Run, { metrics, where }: RoleMetric): RunSeries[] {
  const all = metrics.flatMap(metric => families.get(metric)?.series ?? []);
  return where ? all.filter(({ labels }) => where.values.includes(labels[where.label] ?? '')) : all;
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
