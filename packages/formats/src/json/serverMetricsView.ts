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
 * Server metrics in a common form for all file formats. A `ServerMetricsDocument` is such a view itself; views of the flat
 * layout and of CSV files lack the statistics that these formats do not have.
 */
export interface ServerMetricsView {
  readonly schema_version: string;
  readonly aiperf_version?: string | null;
  readonly benchmark_id?: string | null;
  /** Absent for CSV files. */
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
  /** URL, or the value of the Endpoint column of a CSV. */
  readonly endpoint_url: string;
  readonly labels?: Labels;
}

export interface GaugeView extends SeriesView {
  /** Empty for `_info` metrics of a CSV, which has only their labels. */
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

/** A summary of the flat layout: quantiles that the server computed over its whole lifetime. */
export interface SummaryView extends SeriesView {
  readonly stats: Partial<HistogramStats>;
  readonly quantiles?: { readonly [quantile: string]: number };
}
