/** The meaning of the metrics of servers. Kept separate, because only few commands need the texts. */
import { builtInServers } from './builtInServers.ts';
import { metrics as builtInMetrics } from './generated/metrics.ts';
import type { MetricDescription } from './metricDescription.ts';
import { MetricNames } from './metricNames.ts';
import type { MetricRole } from './role.ts';
import type { ServerCatalog } from './serverCatalog.ts';
import type { ServerDefinition } from './serverDefinition.ts';

export type { MetricDescription };

/** A described metric of a server. */
export interface DescribedMetric extends MetricDescription {
  readonly server: string;
  /** The name as in the exports: a counter has no `_total`. */
  readonly name: string;
  readonly roles: readonly MetricRole[];
}

/** The described metrics of servers that were listed before. */
const listed = new WeakMap<ServerDefinition, readonly DescribedMetric[]>();

/** Lists the described metrics of a server, in the order of its file. */
export function listMetrics(server: ServerDefinition): readonly DescribedMetric[] {
  const known = listed.get(server) ?? createList(server);
  listed.set(server, known);
  return known;
}

function createList(server: ServerDefinition): DescribedMetric[] {
  const isBuiltIn = builtInServers.servers.includes(server);
  const metrics = isBuiltIn ? builtInMetrics[server.name] : server.metrics;
  const named = (Object.keys(server.roles) as MetricRole[]).map(
    role => [role, new Set(listRoleMetrics(server, role))] as const,
  );
  const listRoles = (metric: string): MetricRole[] =>
    named.flatMap(([role, names]) => (names.has(metric) ? role : []));
  return Object.entries((metrics ?? {}) as Readonly<Record<string, MetricDescription>>).map(
    ([name, description]) => ({ server: server.name, name, roles: listRoles(name), ...description }),
  );
}

/** Lists the metrics of a role in order of preference, each followed by its older names. */
export function listRoleMetrics(server: ServerDefinition, role: MetricRole): readonly string[] {
  const names = new MetricNames([server]);
  return (server.roles[role]?.metrics ?? []).flatMap(metric => names.listOwn(metric));
}

/** The suffixes that servers add to the names of counters, histograms and summaries. */
const SUFFIX = /_(?:total|bucket|sum|count|created)$/;

/**
 * Finds the metrics with a name, as a server, an export or a query spells it: with or without `_total`, `_bucket`, `_sum`
 * and `_count`. Several servers can have a metric with the same name.
 */
export function findMetrics(name: string, catalog: ServerCatalog): readonly DescribedMetric[] {
  const own = catalog.restoreName(name);
  if (own !== name) {
    const rename = (metric: string): string =>
      catalog.listNames(metric).find(candidate => name.startsWith(candidate)) ?? metric;
    return findMetrics(own, catalog).map(metric => ({ ...metric, name: rename(metric.name) }));
  }
  const byName = groupByName(catalog);
  return byName.get(name) ?? byName.get(name.replace(SUFFIX, '')) ?? [];
}

/** The metrics of catalogs by name. */
const grouped = new WeakMap<ServerCatalog, ReadonlyMap<string, readonly DescribedMetric[]>>();

/** Groups the metrics of all servers by name. */
function groupByName(catalog: ServerCatalog): ReadonlyMap<string, readonly DescribedMetric[]> {
  const known = grouped.get(catalog);
  if (known) return known;
  const byName = new Map<string, DescribedMetric[]>();
  for (const metric of catalog.servers.flatMap(listMetrics)) {
    const list = byName.get(metric.name);
    if (list) list.push(metric);
    else byName.set(metric.name, [metric]);
  }
  grouped.set(catalog, byName);
  return byName;
}

/** The maximum number of similar names. */
const MAX_SIMILAR = 5;

/** Lists the names of metrics that are most similar to an unknown name, the most similar one first. */
export function findSimilarMetrics(name: string, { servers }: ServerCatalog): string[] {
  const wanted = toWords(name);
  const names = [...new Set(servers.flatMap(listMetrics).map(metric => metric.name))];
  return names
    .map(candidate => ({ candidate, score: compareWords(wanted, toWords(candidate)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SIMILAR)
    .map(({ candidate }) => candidate);
}

function toWords(name: string): ReadonlySet<string> {
  return new Set(
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean),
  );
}

/** Returns the share of words that two names have in common, from 0 to 1. Similar words count in part. */
function compareWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].map(word => Math.max(...[...b].map(other => compareWord(word, other)), 0));
  return common.reduce((sum, value) => sum + value, 0) / (a.size + b.size);
}

/** Returns 1 for equal words, 0.5 for words with the same beginning, otherwise 0. */
function compareWord(a: string, b: string): number {
  if (a === b) return 1;
  const length = Math.min(a.length, b.length, 4);
  return length >= 3 && a.slice(0, length) === b.slice(0, length) ? 0.5 : 0;
}
