import type { MetricRole, RoleMetric, ServerDefinition } from '@org/servers';
import { type DescribedMetric, listMetrics } from '@org/servers/metrics';

/** A server as in the output of `servelens servers --json`. */
export interface ServerDocument {
  readonly name: string;
  readonly kind: 'frontend' | 'server';
  readonly docs?: string;
  /** Prefixes and names of metrics. */
  readonly recognized_by: readonly string[];
  readonly roles: readonly RoleDocument[];
  readonly metrics: readonly DescribedMetric[];
}

/** A role of a server and its metrics, in order of preference. */
export interface RoleDocument {
  readonly role: string;
  readonly metrics: readonly string[];
  /** True if the metrics are added, instead of using the first that exists. */
  readonly adds_metrics: boolean;
  readonly operation: RoleMetric['operation'];
}

/** Describes a server. */
export function describeServer(server: ServerDefinition): ServerDocument {
  const { name, docs, recognize, isFrontend, roles } = server;
  return {
    name,
    kind: isFrontend ? 'frontend' : 'server',
    ...(docs === undefined ? {} : { docs }),
    recognized_by: [...recognize.prefixes, ...(recognize.metrics ?? [])],
    roles: (Object.keys(roles) as MetricRole[]).map(role => ({
      role: formatRole(role),
      metrics: roles[role]!.metrics,
      adds_metrics: roles[role]!.addsMetrics === true,
      operation: roles[role]!.operation,
    })),
    metrics: listMetrics(server),
  };
}

/** Formats the name of a role as in files, such as `kv_cache_usage`. */
export function formatRole(role: MetricRole): string {
  return role.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
