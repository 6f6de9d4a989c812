import {
  type BucketCounts,
  computeCounterSlices,
  computeCounterStatistics,
  computeGaugeSlices,
  computeGaugeStatistics,
  computeHistogramSlices,
  computePercentileBounds,
  cutFixedSlices,
  estimateMomentsPercentiles,
  type HistogramSamples,
  type Period,
  type ScalarSamples,
  type Slice,
  type Slices,
  summarizeHistogram,
} from '@org/core';
import type { ServerMetricsView } from '@org/formats/read';
import { parseBound } from '../buckets.ts';

/** The length of the timeslices of a run that contains only samples, in ns. */
export const SLICE_NS = 2e9;

export type SampledType = 'gauge' | 'unknown' | 'counter' | 'histogram';

/** The identity of a series. */
export interface SampledSeries {
  readonly name: string;
  readonly type: SampledType;
  readonly unit: string | null;
  readonly description: string;
  readonly endpointUrl: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Collects the samples of one series while a file is read, in order of time. Times are ns since the origin of
 * the run.
 */
export class SeriesSamples {
  readonly series: SampledSeries;
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  readonly #sums: number[] = [];
  readonly #buckets = new Map<string, number[]>();

  constructor(series: SampledSeries) {
    this.series = series;
  }

  add(timeNs: number, value: number): void {
    this.#times.push(timeNs);
    this.#values.push(value);
  }

  /** Adds one bucket of a histogram. Buckets of one time follow each other. */
  addBucket(timeNs: number, count: number, sum: number, le: string, cumulative: number): void {
    if (this.#times.at(-1) !== timeNs) {
      this.#times.push(timeNs);
      this.#values.push(count);
      this.#sums.push(sum);
    }
    let column = this.#buckets.get(le);
    if (!column) {
      column = [];
      this.#buckets.set(le, column);
    }
    // A bound that appeared later counted nothing before.
    while (column.length < this.#times.length - 1) column.push(column.at(-1) ?? 0);
    column[this.#times.length - 1] = cumulative;
  }

  /**
   * Returns the samples of gauges from the start of the period. Other types are preceded by their last sample
   * before it, or by 0 at `zeroNs` if there is none.
   */
  scalars(startNs: number, zeroNs: number | undefined): ScalarSamples | null {
    const { from, reference } = this.#from(startNs, zeroNs);
    const timesNs = Float64Array.from([...reference.map(({ time }) => time), ...this.#times.slice(from)]);
    const values = Float64Array.from([...reference.map(({ value }) => value), ...this.#values.slice(from)]);
    return timesNs.length === 0 ? null : { timesNs, values };
  }

  histograms(startNs: number, zeroNs: number | undefined): HistogramSamples | null {
    const base = this.scalars(startNs, zeroNs);
    if (!base) return null;
    const { from, reference } = this.#from(startNs, zeroNs);
    const kept = (column: readonly number[], zero: number): Float64Array =>
      Float64Array.from([
        ...reference.map(({ row }) => (row < 0 ? zero : column[row]!)),
        ...column.slice(from),
      ]);
    const bounds = [...this.#buckets.keys()]
      .map(text => ({ le: parseBound(text), text }))
      .sort((a, b) => a.le - b.le);
    const cumulative = bounds.map(({ text }) => {
      const column = this.#buckets.get(text)!;
      while (column.length < this.#times.length) column.push(column.at(-1) ?? 0);
      return kept(column, 0);
    });
    return { timesNs: base.timesNs, counts: base.values, sums: kept(this.#sums, 0), bounds, cumulative };
  }

  #from(
    startNs: number,
    zeroNs: number | undefined,
  ): { from: number; reference: readonly { time: number; value: number; row: number }[] } {
    const first = this.#times.findIndex(time => time >= startNs);
    const from = first === -1 ? this.#times.length : first;
    if (this.series.type === 'gauge' || this.series.type === 'unknown') return { from, reference: [] };
    if (from > 0) {
      const row = from - 1;
      return { from, reference: [{ time: this.#times[row]!, value: this.#values[row]!, row }] };
    }
    return { from, reference: zeroNs === undefined ? [] : [{ time: zeroNs, value: 0, row: -1 }] };
  }
}

/** The metadata of a run that contains only samples. */
export interface SampledRun {
  /** The origin of times, in Unix ns. */
  readonly originNs: bigint;
  /** The period that statistics cover, in ns since the origin. */
  readonly period: Period;
  /** Whether values are differences from the start of the period (Parquet), and not the server's values (JSONL). */
  readonly isRelative: boolean;
  readonly benchmarkId: string | null;
  readonly version: string | null;
  readonly endpoints: readonly string[];
  readonly inputConfig: Readonly<Record<string, unknown>>;
}

/**
 * Computes the statistics that an export of these samples would contain, with percentiles estimated by the
 * moments method. Series without a sample in the period are left out.
 */
export function computeView(run: SampledRun, all: Iterable<SeriesSamples>): ServerMetricsView {
  const { period, originNs } = run;
  const slices = cutFixedSlices(period, SLICE_NS);
  const metrics = new Map<
    string,
    { type: SampledType; description: string; unit: string | null; series: object[] }
  >();
  for (const samples of all) {
    const figures = computeStatistics(samples, run, slices);
    if (!figures) continue;
    const { name, type, unit, description, endpointUrl, labels } = samples.series;
    // If a name occurs with two types, the later one gets its type as a suffix, as in our exports.
    const key = (metrics.get(name)?.type ?? type) === type ? name : `${name}_${type}`;
    const metric = metrics.get(key) ?? { type, description, unit, series: [] };
    metrics.set(key, metric);
    metric.series.push({ endpoint_url: endpointUrl, labels, ...figures });
  }
  const times = {
    start: originNs + BigInt(Math.round(period.startNs)),
    end: originNs + BigInt(Math.round(period.endNs)),
  };
  return {
    schema_version: '1.0',
    aiperf_version: run.version,
    benchmark_id: run.benchmarkId,
    summary: {
      endpoints_configured: run.endpoints,
      endpoints_successful: run.endpoints,
      start_time: formatIsoTime(times.start),
      end_time: formatIsoTime(times.end),
      profiling_start_ns: times.start,
      profiling_end_ns: times.end,
      endpoint_info: {},
    },
    metrics: Object.fromEntries(
      [...metrics].sort(([a], [b]) => (a < b ? -1 : 1)),
    ) as ServerMetricsView['metrics'],
    input_config: run.inputConfig,
  };
}

function formatIsoTime(ns: bigint): string {
  const micros = ((ns / 1000n) % 1000n).toString().padStart(3, '0');
  return new Date(Number(ns / 1_000_000n)).toISOString().replace('Z', `${micros}Z`);
}

function computeStatistics(
  samples: SeriesSamples,
  { period, originNs, isRelative }: SampledRun,
  cut: Slices,
): object | null {
  const zeroNs = isRelative ? period.startNs : undefined;
  const toAbsolute = (made: readonly Slice[]): object[] =>
    made.map(slice => toAbsoluteSlice(slice, originNs));
  if (samples.series.type === 'histogram') {
    const window = samples.histograms(period.startNs, zeroNs);
    if (!window) return null;
    const { stats, buckets } = summarizeHistogram(window, estimateMomentsPercentiles);
    const bounds = stats.p50_estimate === undefined ? null : computePercentileBounds(window);
    const { increase, ...flat } = stats;
    return {
      stats: { ...flat, ...(increase && { increase: { ...increase, buckets: toObject(increase.buckets) } }) },
      buckets: toObject(buckets),
      ...(bounds && { percentile_bounds: bounds }),
      timeslices: stats.count > 0 ? toAbsolute(computeHistogramSlices(window, cut)) : [],
    };
  }
  const window = samples.scalars(period.startNs, zeroNs);
  if (!window) return null;
  if (samples.series.type !== 'counter')
    return {
      stats: computeGaugeStatistics(window.values),
      timeslices: toAbsolute(computeGaugeSlices(window, cut)),
    };
  const made = computeCounterSlices(window, cut);
  return { stats: computeCounterStatistics(window, made), timeslices: toAbsolute(made) };
}

function toAbsoluteSlice({ startNs, endNs, ...rest }: Slice, originNs: bigint): object {
  const { buckets } = rest as { readonly buckets?: BucketCounts | null };
  return {
    start_ns: originNs + BigInt(Math.round(startNs)),
    end_ns: originNs + BigInt(Math.round(endNs)),
    ...rest,
    ...(buckets !== undefined && { buckets: toObject(buckets) }),
  };
}

function toObject(buckets: BucketCounts | null): Record<string, number> | null {
  return buckets && Object.fromEntries(buckets);
}
