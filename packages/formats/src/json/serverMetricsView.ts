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
 * Server metrics in a common form for all file formats. A `ServerMetricsDocument` is also a
 * `ServerMetricsView`. Views of the flat layout and of CSV files lack the statistics that these formats do
 * not contain.
 */
export interface ServerMetricsView {
  readonly schema_version: string;
  readonly aiperf_version?: string | null;
  readonly servelens_version?: string;
  readonly benchmark_id?: string | null;
  /** Absent for CSV files. */
  readonly summary?: ServerMetricsDocument['summary'];
  /** The labels of targets by endpoint, of a CSV file. Other files contain them in `summary.endpoint_info`. */
  readonly target_labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly metrics: { readonly [name: string]: MetricView };
  readonly input_config?: Readonly<Record<string, unknown>>;
  readonly servelens_config?: Readonly<Record<string, unknown>>;
}

/** A metric with its series. */
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
  /** The URL, or the value of the Endpoint column of a CSV file. */
  readonly endpoint_url: string;
  readonly labels?: Labels;
}

/** A gauge series. */
export interface GaugeView extends SeriesView {
  /** Empty for `_info` metrics of a CSV file, which contains only their labels. */
  readonly stats: Partial<GaugeStats>;
  readonly timeslices?: readonly GaugeTimeslice[];
}

/** A counter series. */
export interface CounterView extends SeriesView {
  readonly stats: Partial<CounterStats>;
  readonly timeslices?: readonly CounterTimeslice[];
}

/** A histogram series. */
export interface HistogramView extends SeriesView {
  readonly stats: Partial<HistogramStats>;
  readonly buckets?: Buckets;
  readonly percentile_bounds?: PercentileBounds;
  readonly timeslices?: readonly HistogramTimeslice[];
}

/**
 * A summary series, which only the flat layout contains. Its quantiles were computed by the server over a
 * time window that is independent of the period.
 */
export interface SummaryView extends SeriesView {
  readonly stats: Partial<HistogramStats>;
  readonly quantiles?: { readonly [quantile: string]: number };
}
