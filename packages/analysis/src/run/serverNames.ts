import type { ServerMetricsView } from '@org/formats/read';
import type { ServerCatalog, ServerDefinition } from '@org/servers';
import type { TargetLabels } from './targetLabels.ts';

/** The role of a server, such as `prefill`, and the rank that it computes, by the URL of its endpoint. */
interface Identity {
  readonly role: string | undefined;
  readonly rank: Rank | undefined;
}

interface Rank {
  readonly label: string;
  readonly value: string;
}

/** A role that is part of a name. Others may contain escape codes, markup or a formula, or be too long for a table. */
const ROLE = /^[A-Za-z0-9][\w.-]{0,39}$/;

/** A name of a pod or of another place that is used as a name; see `ROLE`. */
const POD = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** The labels that number the ranks of a server, and the words for them in names. */
const RANK_WORDS: Readonly<Record<string, string>> = { dp_rank: 'dp', engine: 'engine' };
const RANK = /^\d{1,4}$/;

/**
 * Names the servers of a run by the role and the rank in their own labels, such as `prefill worker` or `decode worker 2`. If
 * their own labels have no role, the label `role` of the target applies. A server whose role and rank are unknown or
 * ambiguous is named by its pod if it is the only endpoint of the pod. Other servers keep their address. Names are unique, and do not depend on ports
 * as long as the ports are in the same order.
 *
 * @param addresses short names of all endpoints, such as host and port, by URL
 * @param targetLabels labels of the targets, by URL
 */
export function nameServers(
  { metrics }: Pick<ServerMetricsView, 'metrics'>,
  servers: ServerCatalog,
  addresses: ReadonlyMap<string, string>,
  targetLabels: TargetLabels = new Map(),
): Map<string, string> {
  const groups = new Map<string, [url: string, identity: Identity][]>();
  const identities = addTargetRoles(identifyServers(metrics, servers), targetLabels);
  for (const [url, { server, ...identity }] of identities) {
    const key = identity.role === undefined ? `server ${server}` : `role ${identity.role}`;
    groups.set(key, [...(groups.get(key) ?? []), [url, identity]]);
  }
  const names = namePods(targetLabels);
  for (const group of groups.values()) for (const [url, name] of nameGroup(group)) names.set(url, name);
  return new Map([...addresses].map(([url, address]) => [url, names.get(url) ?? address]));
}

type Identities = Map<string, Identity & { readonly server: string }>;

/** Adds the roles in the labels of targets to servers whose own labels have no role. */
function addTargetRoles(identities: Identities, targetLabels: TargetLabels): Identities {
  for (const [url, { role }] of targetLabels) {
    const known = identities.get(url);
    if (known?.role !== undefined || role === undefined || !ROLE.test(role)) continue;
    identities.set(url, { server: known?.server ?? '', rank: known?.rank, role });
  }
  return identities;
}

/** Returns the names of the pods that have one endpoint, by URL. */
function namePods(targetLabels: TargetLabels): Map<string, string> {
  const urls = new Map<string, string[]>();
  for (const [url, { pod }] of targetLabels)
    if (pod !== undefined && POD.test(pod)) urls.set(pod, [...(urls.get(pod) ?? []), url]);
  return new Map([...urls].flatMap(([pod, [url, other]]) => (other === undefined ? [[url!, pod]] : [])));
}

/** Reads the role and the rank of each server. Several definitions may describe an endpoint, such as Dynamo and vLLM. */
function identifyServers(metrics: Metrics, servers: ServerCatalog): Identities {
  const identities: Identities = new Map();
  for (const { name, component, roles } of servers.recognize(Object.keys(metrics))) {
    const values = component ? readLabel(metrics, component.metric, component.label) : undefined;
    const ranks = readRanks(metrics, roles);
    for (const url of new Set([...(values?.keys() ?? []), ...ranks.keys()])) {
      const known = identities.get(url);
      const role = known?.role ?? selectRole(values?.get(url), component?.values);
      identities.set(url, { server: known?.server ?? name, role, rank: known?.rank ?? ranks.get(url) });
    }
  }
  return identities;
}

/** Names servers of the same role. If their ranks do not tell them apart, servers with a role are numbered. */
function nameGroup(
  group: readonly (readonly [url: string, identity: Identity])[],
): (readonly [string, string])[] {
  const sorted = [...group].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  const ranks = sorted.map(([, { rank }]) => rank && `${RANK_WORDS[rank.label]} ${rank.value}`);
  const hasRanks = sorted.length > 1 && !ranks.includes(undefined) && new Set(ranks).size === sorted.length;
  return sorted.flatMap(([url, { role }], index) => {
    const rank = hasRanks ? ranks[index] : undefined;
    if (role === undefined) return rank === undefined ? [] : [[url, rank] as const];
    const suffix = rank ?? (sorted.length > 1 ? String(index + 1) : undefined);
    return [[url, `${role} worker${suffix === undefined ? '' : ` ${suffix}`}`] as const];
  });
}

/** Returns the only role of a server; undefined if it has several, or one that cannot be part of a name. */
function selectRole(
  values: ReadonlySet<string> | undefined,
  accepted: readonly string[] | undefined,
): string | undefined {
  const [role, another] = values ?? [];
  if (role === undefined || another !== undefined || !ROLE.test(role)) return undefined;
  return accepted && !accepted.includes(role) ? undefined : role;
}

type Metrics = ServerMetricsView['metrics'];

/** Returns the values of a label of a metric, by the URL of the endpoint. */
function readLabel(metrics: Metrics, metric: string, label: string): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  if (!Object.hasOwn(metrics, metric)) return values;
  for (const { endpoint_url: url, labels } of metrics[metric]!.series) {
    const value = labels && Object.hasOwn(labels, label) ? labels[label]! : '';
    values.set(url, (values.get(url) ?? new Set()).add(value));
  }
  return values;
}

/** Returns the rank of each endpoint that reports a single rank. */
function readRanks(metrics: Metrics, { running }: ServerDefinition['roles']): Map<string, Rank> {
  const ranks = new Map<string, Rank>();
  for (const label of Object.keys(RANK_WORDS))
    for (const metric of running?.metrics ?? [])
      for (const [url, [value = '', another]] of readLabel(metrics, metric, label))
        if (another === undefined && RANK.test(value) && !ranks.has(url)) ranks.set(url, { label, value });
  return ranks;
}
