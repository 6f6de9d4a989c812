import type { RunFamily, RunSeries } from '@org/analysis';
import { formatLabels } from './sampleHistory.ts';
import type { Axis } from './timeAxis.ts';
import type { ObservationTrace, Trace, TraceKind } from './trace.ts';

/** The kind of a trace by the type of its metric. */
const KINDS: Readonly<Record<string, TraceKind>> = {
  gauge: 'level',
  unknown: 'level',
  counter: 'rate',
  histogram: 'observations',
};

/** Returns the kind of trace that draws a metric; undefined for types that are not drawn over time. */
export function getTraceKind({ type }: Pick<RunFamily, 'type'>): TraceKind | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** The traces of one series. */
interface SeriesTraces {
  readonly endpoint: string;
  readonly trace: Trace;
  /** The observations in wider bins, for percentiles; only for histograms. */
  readonly slices?: ObservationTrace;
}

/** Metrics of a run over time, in bins. */
export class RunTraces {
  /** Description of the source, such as `timeslices`. */
  readonly description: string;
  /** Start of the axis (0 s), as Unix time in nanoseconds. */
  readonly startNs: bigint;
  readonly axis: Axis;
  /** The axis of percentiles, whose bins contain more observations. */
  readonly sliceAxis: Axis;
  readonly #byName = new Map<string, Map<string, SeriesTraces>>();

  constructor(description: string, startNs: bigint, axis: Axis, sliceAxis: Axis) {
    this.description = description;
    this.startNs = startNs;
    this.axis = axis;
    this.sliceAxis = sliceAxis;
  }

  /** Returns a time in seconds on the axis. */
  toSeconds(ns: bigint): number {
    return Number(ns - this.startNs) / 1e9;
  }

  /** Returns the traces of a series, created by `create` if there are none. */
  getOrCreate(
    name: string,
    endpoint: string,
    labels: string,
    create: () => Omit<SeriesTraces, 'endpoint'>,
  ): SeriesTraces {
    const traces = this.#byName.get(name) ?? new Map<string, SeriesTraces>();
    this.#byName.set(name, traces);
    const key = toKey(endpoint, labels);
    const found = traces.get(key) ?? { endpoint, ...create() };
    traces.set(key, found);
    return found;
  }

  /** Returns the traces of a series; undefined if it has no data over time. */
  find({
    name,
    endpoint,
    labels,
  }: Pick<RunSeries, 'name' | 'endpoint' | 'labels'>): SeriesTraces | undefined {
    return this.#byName.get(name)?.get(toKey(endpoint, formatLabels(Object.entries(labels))));
  }

  /** Returns the traces of all series of a metric. */
  list(name: string): readonly SeriesTraces[] {
    return [...(this.#byName.get(name)?.values() ?? [])];
  }
}

function toKey(endpoint: string, labels: string): string {
  return `${endpoint}\n${labels}`;
}
