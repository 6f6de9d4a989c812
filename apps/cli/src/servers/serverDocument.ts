import type { BuildInfo, MetricRole, RoleMetric, ServerDefinition, ServerKind } from '@org/servers';
import { type DescribedMetric, listMetrics, listRoleMetrics } from '@org/servers/metrics';

/** A server as in the output of `servelens servers --json`. */
export interface ServerDocument {
  readonly name: string;
  readonly kind: ServerKind;
  readonly docs?: string;
  /** Prefixes of the names of metrics, also after they were renamed. */
  readonly prefixes: readonly string[];
  /** Whole names of metrics. */
  readonly names: readonly string[];
  /** Labels of which the metrics have at least one; empty if names are sufficient. */
  readonly labels: readonly string[];
  /** The labels with the version of the server; empty if its pages do not have it, and null if this is not known. */
  readonly build_info: readonly BuildInfo[] | null;
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
  const { name, docs, recognize, kind, roles } = server;
  return {
    name,
    kind,
    ...(docs === undefined ? {} : { docs }),
    prefixes: [...recognize.prefixes, ...(recognize.renamed ?? [])],
    names: recognize.metrics ?? [],
    labels: recognize.labels ?? [],
    build_info: recognize.buildInfo ?? null,
    roles: (Object.keys(roles) as MetricRole[]).map(role => ({
      role: formatRole(role),
      metrics: listRoleMetrics(server, role),
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
