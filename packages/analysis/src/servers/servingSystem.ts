import { isForwarder, type ServerDefinition, servesRequests } from '@org/servers';
import { max, sum } from '../math.ts';
import { findPresences } from '../run/availability.ts';
import { readClientFailures } from '../run/clientFailures.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { listHttpErrors } from './httpErrors.ts';
import { addLevels, computeLevel, type Level } from './level.ts';
import { type LoadWindow, readLoadWindow } from './loadWindow.ts';
import { type Observations, readObservations } from './observations.ts';
import { divideByRank, getRank } from './ranks.ts';
import { computeTotal, findServerInstances, type ServerInstance } from './serverInstance.ts';

/** An engine that processes requests: a server, or one rank of a server with data parallelism. */
export interface Engine {
  /** Short name of the endpoint, with the rank if the endpoint has several. */
  readonly name: string;
  readonly endpoint: string;
  readonly definition: ServerDefinition;
  readonly running: Level | undefined;
  readonly waiting: Level | undefined;
  readonly kvCache: Level | undefined;
  readonly preemptions: number | undefined;
  readonly outputTokens: number | undefined;
  /** The requests that it completed, with their latency; undefined if it does not measure the latency. */
  readonly completed: Observations | undefined;
  /** Model and role. Engines with the same value share a load, so that they are comparable. */
  readonly group: string;
  /** Returns the series of a role; empty if the engine has none. */
  readonly series: ServerInstance['series'];
}

/**
 * All servers of a run as one system: engines, and frontends that forward requests to them. The load of a run has one
 * bottleneck, so that its verdict concerns the system and not each server.
 */
export interface ServingSystem {
  readonly run: Run;
  readonly window: LoadWindow;
  /** Name of the frontend if it counts the requests in it, otherwise of the engines. */
  readonly server: string;
  readonly engines: readonly Engine[];
  /** Requests that engines process. */
  readonly running: Level | undefined;
  /** Requests in the queues of frontends and engines; undefined if no server reports a queue. */
  readonly waiting: Level | undefined;
  /** Requests in the system, running and waiting. */
  readonly inFlight: Level | undefined;
  /** Maximum number of running requests of each engine; undefined if no frontend reports it. */
  readonly slots: number | undefined;
  /** Output tokens and completed requests, which embedding models count without tokens; undefined if unknown. */
  readonly output: number | undefined;
  /** Number of requests that servers counted as failed, cancelled or rejected with an HTTP error. */
  readonly failed: number;
  /** Share of the requests that failed, as counted by the load generator or by the servers, whichever is larger. */
  readonly failedShare: number;
  /** Mean number of requests in workers of each component, such as `prefill`. */
  readonly requestsByComponent: ReadonlyMap<string, Level>;
  /** The short names of all endpoints. */
  readonly endpoints: ReadonlySet<string>;
}

/** Finds the servers of a run. Returns undefined if the run has no server of a known kind. */
export function findServingSystem(run: Run): ServingSystem | undefined {
  const instances = findServerInstances(run).filter(({ definition }) => servesRequests(definition));
  if (instances.length === 0) return undefined;
  const window = readLoadWindow(run);
  const components = readComponents(run);
  const engines = selectEngines(instances).flatMap(instance => createEngines(instance, window, components));
  const frontends = instances.filter(({ definition }) => isForwarder(definition));
  const presences = findEndpointPresences(run);
  const sumLevels = (role: 'running' | 'waiting', of: readonly ServerInstance[]): Level | undefined =>
    addAll(of.map(instance => toWholePeriod(computeLevel(instance, role, window), instance, presences)));
  const waiting = sumLevels('waiting', instances);
  const running = addAll(engines.map(engine => toWholePeriod(engine.running, engine, presences)));
  return {
    run,
    window,
    server: (frontends.find(reportsLoad) ?? engines[0] ?? instances[0]!).definition.name,
    engines,
    running,
    waiting,
    inFlight: groupByServer(frontends)
      .map(group => sumLevels('running', group))
      .reduce(findLarger, addAll([running, waiting])),
    slots: readSlots(frontends, window),
    output: sumOutput(instances),
    failed: countFailures(instances) + countHttpErrors(run),
    failedShare: computeFailedShare(run, instances),
    requestsByComponent: sumByComponent(instances, components, window),
    endpoints: new Set(instances.map(({ endpoint }) => endpoint)),
  };
}

/** Reports whether an instance counts the requests in it. */
function reportsLoad(instance: ServerInstance): boolean {
  return instance.series('running').length > 0 || instance.series('waiting').length > 0;
}

/** Groups instances by the kind of server. Requests pass all kinds of frontends, one after the other. */
function groupByServer(instances: readonly ServerInstance[]): ServerInstance[][] {
  const servers = [...new Set(instances.map(({ server }) => server))];
  return servers.map(name => instances.filter(({ server }) => server === name));
}

/** Counts the failures of engines, and those of the kind of frontend that counts most. */
function countFailures(instances: readonly ServerInstance[]): number {
  const count = (group: readonly ServerInstance[]): number =>
    sum(group.flatMap(({ failures }) => failures.map(failure => failure.count)));
  const frontends = groupByServer(instances.filter(({ definition }) => isForwarder(definition)));
  return (
    count(instances.filter(({ definition }) => !isForwarder(definition))) + max([0, ...frontends.map(count)])
  );
}

/**
 * Selects the engines. Of several kinds on one endpoint, such as Triton with vLLM as its backend, the kind that reports
 * running requests directly is used. A Dynamo worker counts as an engine if it reports a KV cache, but its engine does
 * not report metrics.
 */
function selectEngines(instances: readonly ServerInstance[]): ServerInstance[] {
  const rank = ({ definition, roles }: ServerInstance): number =>
    isForwarder(definition) ? 0 : roles.running?.operation === 'sum' ? 2 : 1;
  const best = new Map<string, ServerInstance>();
  for (const instance of instances) {
    const other = best.get(instance.endpoint);
    if (isForwarder(instance.definition) && instance.series('kvCacheUsage').length === 0) continue;
    if (!other || rank(instance) > rank(other)) best.set(instance.endpoint, instance);
  }
  return [...best.values()];
}

function createEngines(
  instance: ServerInstance,
  window: LoadWindow,
  components: ReadonlyMap<string, string>,
): Engine[] {
  const ranks = new Set(
    [...instance.series('running'), ...instance.series('waiting'), ...instance.series('kvCacheUsage')].map(
      getRank,
    ),
  );
  const names = ranks.size === 0 ? [''] : [...ranks];
  const readRank = divideByRank(instance.series);
  return names.map(rank => {
    const series = names.length === 1 ? instance.series : readRank(rank);
    const part = { roles: instance.roles, series };
    const { endpoint, definition } = instance;
    return {
      name: names.length === 1 ? endpoint : `${endpoint} ${rank}`,
      endpoint,
      definition,
      running: isForwarder(definition) ? undefined : computeLevel(part, 'running', window),
      waiting: computeLevel(part, 'waiting', window),
      kvCache: computeLevel(part, 'kvCacheUsage', window),
      preemptions: computeTotal(part, 'preemptions'),
      outputTokens: computeTotal(part, 'outputTokens'),
      completed: readObservations(part.series('requestLatency')),
      group: [definition.name, components.get(endpoint) ?? '', getModel(part.series('running'))].join('\0'),
      series: part.series,
    };
  });
}

/** Returns the model of the first series; empty if unknown. */
export function getModel([series]: readonly RunSeries[]): string {
  return series?.labels.model_name ?? '';
}

/** Returns the component of each worker, such as `prefill` or `backend`, by endpoint. */
export function readComponents({ families, servers }: Run): Map<string, string> {
  const components = new Map<string, string>();
  for (const { component } of servers.servers)
    for (const { endpoint, labels } of families.get(component?.metric ?? '')?.series ?? []) {
      const { label, values } = component!;
      const value = labels[label] ?? '';
      if (!values || values.includes(value)) components.set(endpoint, value);
    }
  return components;
}

function countHttpErrors(run: Run): number {
  return sum(listHttpErrors(run).flatMap(({ byStatus }) => [...byStatus.values()]));
}

/** Returns the maximum batch size of the engines, which every frontend reports. */
function readSlots(frontends: readonly ServerInstance[], window: LoadWindow): number | undefined {
  const levels = frontends.flatMap(frontend => computeLevel(frontend, 'maxRunning', window) ?? []);
  return levels.length === 0 ? undefined : max(levels.map(level => level.max));
}

function sumOutput(instances: readonly ServerInstance[]): number | undefined {
  const totals = instances.flatMap(instance =>
    OUTPUT_ROLES.flatMap(role => computeTotal(instance, role) ?? []),
  );
  return totals.length === 0 ? undefined : sum(totals);
}

const OUTPUT_ROLES = ['outputTokens', 'completedRequests'] as const;

function computeFailedShare(run: Run, instances: readonly ServerInstance[]): number {
  const client = readClientFailures(run);
  const shares = instances.map(instance => {
    const failures = instance.failures.filter(({ isCancellation }) => !isCancellation);
    const failed = sum(failures.map(({ count }) => count));
    return failed === 0 ? 0 : failed / Math.max(failed, computeTotal(instance, 'completedRequests') ?? 0);
  });
  return Math.max(client && client.attempts > 0 ? client.failed / client.attempts : 0, ...shares);
}

function sumByComponent(
  instances: readonly ServerInstance[],
  components: ReadonlyMap<string, string>,
  window: LoadWindow,
): Map<string, Level> {
  const byComponent = new Map<string, Level>();
  for (const instance of instances) {
    const component = components.get(instance.endpoint);
    const level = computeLevel(instance, 'workerRequests', window);
    if (component === undefined || !level) continue;
    const before = byComponent.get(component);
    byComponent.set(component, before ? addLevels(before, level) : level);
  }
  return byComponent;
}

function addAll(levels: readonly (Level | undefined)[]): Level | undefined {
  const known = levels.filter(level => level !== undefined);
  return known.length === 0 ? undefined : known.reduce(addLevels);
}

/** Returns the fraction of profiling in which endpoints were available, by short name; see `findPresences`. */
function findEndpointPresences(run: Run): ReadonlyMap<string, number> {
  const presences = findPresences(run);
  return new Map(run.endpoints.map(({ url, name }) => [name, presences.get(url) ?? 1]));
}

/** Converts a mean over the time in which an endpoint was available to a mean over the whole period, to be added. */
function toWholePeriod(
  level: Level | undefined,
  { endpoint }: Pick<ServerInstance, 'endpoint'>,
  presences: ReadonlyMap<string, number>,
): Level | undefined {
  return level && { ...level, avg: level.avg * (presences.get(endpoint) ?? 1) };
}

function findLarger(a: Level | undefined, b: Level | undefined): Level | undefined {
  if (!a || !b) return a ?? b;
  return b.avg > a.avg ? b : a;
}
