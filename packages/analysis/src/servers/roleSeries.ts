import { type MetricRole, type RoleMetric, type ServerKind, servesRequests } from '@org/servers';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { findServerInstances, type ServerInstance } from './serverInstance.ts';

/** A series that measures a role, and the operation that combines it with the other series of the role. */
export interface RoleSeries {
  readonly series: RunSeries;
  readonly operation: RoleMetric['operation'];
}

/** The servers whose values describe a role: those closest to the client, those that compute, or all of them. */
type RoleScope = 'frontends' | 'engines' | 'all';

const SCOPES: Readonly<Partial<Record<MetricRole, RoleScope>>> = {
  completedRequests: 'frontends',
  outputTokens: 'frontends',
  requestLatency: 'frontends',
  timeToFirstToken: 'frontends',
  interTokenLatency: 'frontends',
  waiting: 'all',
};

/**
 * Selects the series of a role so that each request is counted once: frontends and engines both measure a request that
 * passes through them. Returns an empty list if no server has the role.
 */
export function selectRoleSeries(run: Run, role: MetricRole): RoleSeries[] {
  const instances = findServerInstances(run).filter(
    ({ definition, series }) => servesRequests(definition) && series(role).length > 0,
  );
  return selectScope(instances, SCOPES[role] ?? 'engines').flatMap(instance => {
    const { operation } = instance.roles[role]!;
    return instance.series(role).map(series => ({ series, operation }));
  });
}

/** The kinds of servers that requests pass, from the client to the engine. */
const KINDS: readonly ServerKind[] = ['gateway', 'frontend', 'engine'];

function selectScope(instances: readonly ServerInstance[], scope: RoleScope): readonly ServerInstance[] {
  if (scope === 'all') return instances;
  const kinds = scope === 'frontends' ? KINDS : [...KINDS].reverse();
  const first = kinds.find(kind => instances.some(({ definition }) => definition.kind === kind));
  return instances.filter(({ definition }) => definition.kind === first);
}
