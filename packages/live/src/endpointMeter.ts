import type { HistogramSeries, Layout, Series, Slot } from '@org/core';
import {
  COUNTER_ROLES,
  type CounterRole,
  type EndpointSources,
  findSources,
  type Gauges,
  isResponding,
  LATENCY_ROLES,
  type LatencyRole,
  type RoleValue,
  readGauges,
  selectSlot,
} from '@org/record/roles';
import type { Endpoint } from '@org/scrape';
import type { RoleMetric, ServerCatalog, ServerDefinition } from '@org/servers';

/** The parts of an endpoint that are read. */
export type MeteredEndpoint = Pick<Endpoint, 'url' | 'latest' | 'stalledMs'> & {
  readonly layout: Pick<Layout, 'series'>;
  readonly health: Pick<Endpoint['health'], 'status' | 'lastSuccessNs' | 'lastOutage'>;
};

/** The observations of a latency since the previous reading, on one endpoint. */
export interface LatencyIncrease {
  readonly definition: ServerDefinition;
  /** The bounds of the buckets, in milliseconds. */
  readonly boundsMs: readonly number[];
  /** By bound: the number of new observations <= bound. */
  readonly cumulative: Float64Array;
}

/** A reading of one endpoint. Fields are undefined while their value is unknown. */
export interface EndpointReading {
  readonly url: string;
  readonly servers: readonly string[];
  /** True if the endpoint responds, so that its values are current. */
  readonly isCurrent: boolean;
  readonly gauges: Gauges;
  /** Seconds between the scrapes that the increases were measured from; undefined without a new scrape. */
  readonly seconds: number | undefined;
  readonly counters: ReadonlyMap<CounterRole, readonly RoleValue[]>;
  readonly latencies: ReadonlyMap<LatencyRole, readonly LatencyIncrease[]>;
  readonly failures: readonly RoleValue[];
}

/** Reads the current gauges of an endpoint, and the increases of its counters since the previous reading. */
export class EndpointMeter {
  readonly #endpoint: MeteredEndpoint;
  readonly #catalog: ServerCatalog;
  #sources: EndpointSources | undefined;
  #seriesCount = -1;
  #previousNs: bigint | undefined;
  /** The last known value of each counter, by slot. */
  readonly #previous = new Map<Slot, number>();

  constructor(endpoint: MeteredEndpoint, catalog: ServerCatalog) {
    this.#endpoint = endpoint;
    this.#catalog = catalog;
  }

  read(): EndpointReading {
    const { url, latest, health } = this.#endpoint;
    const isCurrent = isResponding(this.#endpoint);
    const sources = this.#findSources();
    const gauges = latest && isCurrent ? readGauges(sources, latest) : new Map();
    const increases = latest && isCurrent ? this.#readIncreases(sources, latest, health.lastSuccessNs) : NONE;
    return { url, servers: sources.servers.map(({ name }) => name), isCurrent, gauges, ...increases };
  }

  /** Finds the series, which are cached until series are added to the layout. */
  #findSources(): EndpointSources {
    const { layout } = this.#endpoint;
    if (!this.#sources || this.#seriesCount !== layout.series.length) {
      this.#sources = findSources(layout, this.#catalog);
      this.#seriesCount = layout.series.length;
    }
    return this.#sources;
  }

  #readIncreases(sources: EndpointSources, latest: Float64Array, timeNs: bigint | undefined): Increases {
    if (timeNs === undefined || timeNs === this.#previousNs) return NONE;
    const previousNs = this.#previousNs;
    this.#previousNs = timeNs;
    const reader = new IncreaseReader(latest, this.#previous);
    const counters = readCounters(sources, reader);
    const latencies = readLatencies(sources, reader);
    const failures = sources.failures.map(({ definition, series }) => ({
      definition,
      operation: 'total' as const,
      value: reader.sum(series, 'total'),
    }));
    if (previousNs === undefined || reader.hasReset) return NONE;
    return { seconds: Number(timeNs - previousNs) / 1e9, counters, latencies, failures };
  }
}

type Increases = Pick<EndpointReading, 'seconds' | 'counters' | 'latencies' | 'failures'>;

const NONE: Increases = { seconds: undefined, counters: new Map(), latencies: new Map(), failures: [] };

/** Computes the increases of slots since their last known values. A new series starts at 0. */
class IncreaseReader {
  hasReset = false;
  readonly #latest: Float64Array;
  readonly #previous: Map<Slot, number>;
  /** The increases that were read. Several roles can refer to the same slot. */
  readonly #increases = new Map<Slot, number>();

  constructor(latest: Float64Array, previous: Map<Slot, number>) {
    this.#latest = latest;
    this.#previous = previous;
  }

  read(slot: Slot): number {
    const increase = this.#increases.get(slot) ?? this.#measure(slot);
    this.#increases.set(slot, increase);
    return increase;
  }

  #measure(slot: Slot): number {
    const value = this.#latest[slot];
    if (value === undefined || !Number.isFinite(value)) return 0;
    const increase = value - (this.#previous.get(slot) ?? 0);
    this.#previous.set(slot, value);
    if (increase < 0) this.hasReset = true;
    return increase;
  }

  /** Adds the increases of series, of the part that the operation refers to. */
  sum(series: readonly Series[], operation: RoleMetric['operation']): number {
    return series.reduce((sum, one) => sum + this.read(selectSlot(one, operation)), 0);
  }
}

function readCounters(
  { roles }: EndpointSources,
  reader: IncreaseReader,
): Map<CounterRole, readonly RoleValue[]> {
  const counters = new Map<CounterRole, readonly RoleValue[]>();
  for (const role of COUNTER_ROLES)
    counters.set(
      role,
      roles.get(role)!.map(({ definition, series }) => {
        const { operation } = definition.roles[role]!;
        return { definition, operation, value: reader.sum(series, operation) };
      }),
    );
  return counters;
}

function readLatencies(
  { latencies }: EndpointSources,
  reader: IncreaseReader,
): Map<LatencyRole, readonly LatencyIncrease[]> {
  const increases = new Map<LatencyRole, readonly LatencyIncrease[]>();
  for (const role of LATENCY_ROLES)
    increases.set(
      role,
      latencies.get(role)!.flatMap(({ definition, unitMs, series }) =>
        groupByBounds(series).map(group => {
          const bounds = group[0]!.buckets;
          const cumulative = new Float64Array(bounds.length);
          for (const { buckets } of group)
            buckets.forEach(({ slot }, index) => {
              cumulative[index]! += reader.read(slot);
            });
          return { definition, boundsMs: bounds.map(({ le }) => le * unitMs), cumulative };
        }),
      ),
    );
  return increases;
}

/** Groups histograms with the same bounds, whose buckets can be added. */
function groupByBounds(series: readonly HistogramSeries[]): HistogramSeries[][] {
  const groups = new Map<string, HistogramSeries[]>();
  for (const one of series) {
    const key = one.buckets.map(({ le }) => le).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
