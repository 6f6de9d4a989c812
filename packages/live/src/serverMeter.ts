import {
  type CounterRole,
  combineGauges,
  type GaugeRole,
  LATENCY_ROLES,
  type LatencyRole,
  selectSources,
} from '@org/record/roles';
import type { MetricRole, ServerCatalog } from '@org/servers';
import { addBuckets, type BucketCounts } from './bucketQuantiles.ts';
import { EndpointMeter, type EndpointReading, type MeteredEndpoint } from './endpointMeter.ts';
import { type BucketHistory, createBucketHistory } from './latencyHistory.ts';
import { LevelHistory } from './levelHistory.ts';
import type { ServerState } from './liveState.ts';
import { Readings } from './readings.ts';

/** The increases of the prefix cache's counters in one reading. */
interface CacheLookups {
  readonly hits: number;
  readonly queries: number;
}

/** Reads the servers of a run, combined over the endpoints that respond. */
export class ServerMeter {
  readonly #catalog: ServerCatalog;
  /** The meters of the endpoints of the last reading. */
  #meters = new Map<MeteredEndpoint, EndpointMeter>();
  readonly #levels = {
    requests: new LevelHistory(),
    outputTokens: new LevelHistory(),
    promptTokens: new LevelHistory(),
    running: new LevelHistory(),
    waiting: new LevelHistory(),
    kvCache: new LevelHistory(),
  };
  readonly #latencies: Readonly<Record<LatencyRole, BucketHistory>> = {
    timeToFirstToken: createBucketHistory(),
    interTokenLatency: createBucketHistory(),
    requestLatency: createBucketHistory(),
  };
  readonly #lookups = new Readings<CacheLookups>();
  #maxRunning: number | undefined;
  #preemptions: number | undefined;
  #failures: number | undefined;

  constructor(catalog: ServerCatalog) {
    this.#catalog = catalog;
  }

  /** Reads the endpoints, which may have changed since the last reading. Returns their readings. */
  read(endpoints: readonly MeteredEndpoint[]): readonly EndpointReading[] {
    this.#meters = new Map(
      endpoints.map(endpoint => [
        endpoint,
        this.#meters.get(endpoint) ?? new EndpointMeter(endpoint, this.#catalog),
      ]),
    );
    const readings = [...this.#meters.values()].map(meter => meter.read());
    const current = readings.filter(({ isCurrent }) => isCurrent);
    const gauges = current.map(reading => reading.gauges);
    this.#levels.requests.add(sumRates(current, 'completedRequests'));
    this.#levels.outputTokens.add(sumRates(current, 'outputTokens'));
    this.#levels.promptTokens.add(sumRates(current, 'promptTokens'));
    this.#levels.running.add(combineGauges(gauges, 'running'));
    this.#levels.waiting.add(combineGauges(gauges, 'waiting'));
    this.#levels.kvCache.add(combineGauges(gauges, 'kvCacheUsage'));
    this.#maxRunning = combineGauges(gauges, 'maxRunning');
    for (const role of LATENCY_ROLES) this.#latencies[role].add(addLatencies(current, role));
    this.#lookups.add({
      hits: sumIncreases(current, 'cacheHits') ?? 0,
      queries: sumIncreases(current, 'cacheQueries') ?? 0,
    });
    this.#preemptions = addKnown(this.#preemptions, sumIncreases(current, 'preemptions'));
    this.#failures = addKnown(this.#failures, sumFailures(current));
    return readings;
  }

  describe(): ServerState {
    const { requests, outputTokens, promptTokens, running, waiting, kvCache } = this.#levels;
    const { timeToFirstToken, interTokenLatency, requestLatency } = this.#latencies;
    return {
      requests: requests.describe(),
      outputTokens: outputTokens.describe(),
      promptTokens: promptTokens.describe(),
      running: running.describe(),
      maxRunning: this.#maxRunning,
      waiting: waiting.describe(),
      kvCache: kvCache.describe(),
      timeToFirstToken: timeToFirstToken.describe(),
      interTokenLatency: interTokenLatency.describe(),
      requestLatency: requestLatency.describe(),
      cacheHitShare: computeHitShare(this.#lookups.items),
      preemptions: this.#preemptions,
      failures: this.#failures,
    };
  }
}

/** Reads the gauge of one endpoint. */
export function readGauge(reading: EndpointReading, role: GaugeRole): number | undefined {
  return combineGauges([reading.gauges], role);
}

/** Reads the rate of a counter of one endpoint. */
export function readRate(reading: EndpointReading, role: CounterRole): number | undefined {
  return sumRates([reading], role);
}

/** Adds the rates of a counter. Each endpoint has its own time between scrapes. */
function sumRates(readings: readonly EndpointReading[], role: CounterRole): number | undefined {
  return sum(
    select(readings, role, ({ seconds, counters }) =>
      seconds === undefined
        ? []
        : (counters.get(role) ?? []).map(one => ({ ...one, value: one.value / seconds })),
    ),
  );
}

function sumIncreases(readings: readonly EndpointReading[], role: CounterRole): number | undefined {
  return sum(select(readings, role, ({ counters }) => counters.get(role) ?? []));
}

function sumFailures(readings: readonly EndpointReading[]): number | undefined {
  return sum(select(readings, 'completedRequests', ({ failures }) => failures));
}

function sum(values: readonly { readonly value: number }[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((total, { value }) => total + value, 0);
}

/** Adds the new observations of a latency. Returns undefined if they are unknown or cannot be added. */
function addLatencies(readings: readonly EndpointReading[], role: LatencyRole): BucketCounts | undefined {
  return addBuckets(select(readings, role, ({ latencies }) => latencies.get(role) ?? []));
}

/** Selects the values of a role that together count each request once. */
function select<T extends Parameters<typeof selectSources>[1][number]>(
  readings: readonly EndpointReading[],
  role: MetricRole,
  list: (reading: EndpointReading) => readonly T[],
): readonly T[] {
  return selectSources(role, readings.flatMap(list));
}

function addKnown(total: number | undefined, increase: number | undefined): number | undefined {
  return increase === undefined ? total : (total ?? 0) + increase;
}

function computeHitShare(lookups: readonly CacheLookups[]): number | undefined {
  const hits = lookups.reduce((total, one) => total + one.hits, 0);
  const queries = lookups.reduce((total, one) => total + one.queries, 0);
  return queries > 0 ? hits / queries : undefined;
}
