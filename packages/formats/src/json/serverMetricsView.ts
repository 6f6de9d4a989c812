import type {
  Buckets,
  CounterStats,
  CounterTimeslice,
  GaugeStats,
  GaugeTimeslice,
  HistogramStats,
  HistogramTimeslice,
  Labels,
  PercentileBounds,
  ServerMetricsDocument,
} from '../generated/serverMetrics.ts';

/**
 * Server metrics as a reader sees them, whatever file they came from. A `ServerMetricsDocument` is one as it
 * is; from the flat layout and from a CSV come those statistics that these have.
 */
export interface ServerMetricsView {
  readonly schema_version: string;
  readonly aiperf_version?: string | null;
  readonly benchmark_id?: string | null;
  /** Absent when the file has none (CSV). */
  readonly summary?: ServerMetricsDocument['summary'];
  readonly metrics: { readonly [name: string]: MetricView };
  readonly input_config?: Readonly<Record<string, unknown>>;
}

export type MetricView =
  | MetricOf<'gauge' | 'unknown', GaugeView>
  | MetricOf<'counter', CounterView>
  | MetricOf<'histogram', HistogramView>
  | MetricOf<'summary', SummaryView>;

interface MetricOf<Type, Series> {
  readonly type: Type;
  readonly description: string;
  readonly unit?: string | null;
  readonly series: readonly Series[];
}

interface SeriesView {
  /** URL, or what the Endpoint column of a CSV calls it. */
  readonly endpoint_url: string;
  readonly labels?: Labels;
}

export interface GaugeView extends SeriesView {
  /** Empty for `_info` metrics of files that keep their labels only. */
  readonly stats: Partial<GaugeStats>;
  readonly timeslices?: readonly GaugeTimeslice[];
}

export interface CounterView extends SeriesView {
  readonly stats: Partial<CounterStats>;
  readonly timeslices?: readonly CounterTimeslice[];
}

export interface HistogramView extends SeriesView {
  readonly stats: Partial<HistogramStats>;
  readonly buckets?: Buckets;
  readonly percentile_bounds?: PercentileBounds;
  readonly timeslices?: readonly HistogramTimeslice[];
}

/** A summary of the flat layout: quantiles as the server computed them, over its whole life. */
export interface SummaryView extends SeriesView {
  readonly stats: Partial<HistogramStats>;
  readonly quantiles?: { readonly [quantile: string]: number };
}
