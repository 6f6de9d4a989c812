import { type MetricRole, type RoleMetric, selectRoleServers, servesRequests } from '@org/servers';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { findServerInstances } from './serverInstance.ts';

/** A series that measures a role, and the operation that combines it with the other series of the role. */
export interface RoleSeries {
  readonly series: RunSeries;
  readonly operation: RoleMetric['operation'];
}

/**
 * Selects the series of a role so that each request is counted once: frontends and engines both measure a request that
 * passes through them. Returns an empty list if no server has the role.
 */
export function selectRoleSeries(run: Run, role: MetricRole): RoleSeries[] {
  const instances = findServerInstances(run).filter(
    ({ definition, series }) => servesRequests(definition) && series(role).length > 0,
  );
  return selectRoleServers(role, instances, ({ definition }) => definition.kind).flatMap(instance => {
    const { operation } = instance.roles[role]!;
    return instance.series(role).map(series => ({ series, operation }));
  });
}
