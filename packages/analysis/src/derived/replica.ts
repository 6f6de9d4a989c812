import { isForwarder, type MetricRole, type ServerDefinition } from '@org/servers';
import type { Run, RunEndpoint } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { divideByRank, getRank } from '../servers/ranks.ts';
import { findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import { getModel, readComponents } from '../servers/servingSystem.ts';

/** A server on an endpoint, or one rank of it. */
export interface Replica {
  /** Short name of the endpoint. */
  readonly endpoint: string;
  readonly definition: ServerDefinition;
  /** The endpoint in the run; undefined if the files of the run do not list endpoints. */
  readonly state: RunEndpoint | undefined;
  readonly series: (role: MetricRole) => readonly RunSeries[];
  /** The ranks; the replica itself if it has only one. */
  readonly ranks: readonly Replica[];
}

/** Replicas that share a load, so that they are comparable: of one server, component and model. */
export interface ReplicaGroup {
  readonly definition: ServerDefinition;
  /** Component of workers, such as `prefill`. */
  readonly component: string | undefined;
  /** One replica per endpoint. */
  readonly replicas: readonly Replica[];
}

/** Finds the servers of a run, in groups of comparable ones. */
export function findReplicaGroups(run: Run): ReplicaGroup[] {
  const components = readComponents(run);
  const states = new Map(run.endpoints.map(state => [state.name, state]));
  const groups = new Map<string, { -readonly [K in keyof ReplicaGroup]: ReplicaGroup[K] }>();
  for (const instance of findServerInstances(run)) {
    const { definition, endpoint } = instance;
    const component = isForwarder(definition) ? undefined : components.get(endpoint) || undefined;
    const key = JSON.stringify([definition.name, component, getModel(instance.series('running'))]);
    const replica = createReplica(instance, states.get(endpoint));
    const group = groups.get(key);
    if (group) group.replicas = [...group.replicas, replica];
    else groups.set(key, { definition, component, replicas: [replica] });
  }
  return [...groups.values()];
}

/** The roles whose series show the ranks of a server. */
const RANKED: readonly MetricRole[] = ['running', 'waiting', 'kvCacheUsage', 'outputTokens'];

function createReplica(instance: ServerInstance, state: RunEndpoint | undefined): Replica {
  const { endpoint, definition, series } = instance;
  const names = [...new Set(RANKED.flatMap(role => series(role).map(getRank)))];
  const replica = { endpoint, definition, state, series, ranks: [] };
  if (names.length < 2) return { ...replica, ranks: [replica] };
  const readRank = divideByRank(series);
  return { ...replica, ranks: names.map(name => ({ ...replica, series: readRank(name) })) };
}
