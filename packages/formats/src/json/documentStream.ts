import type { LegacyMetric, LegacyServerMetricsDocument } from '../generated/legacyServerMetrics.ts';
import type { Metric, ServerMetricsDocument } from '../generated/serverMetrics.ts';

/** A metric whose series are generated while they are written. */
export type MetricStream = Omit<Metric, 'series'> & { readonly series: Iterable<Metric['series'][number]> };

/** A server metrics document that is too large for memory: metrics and series are iterated once, in file order. */
export type ServerMetricsStream = Omit<ServerMetricsDocument, 'metrics'> & {
  readonly metrics: Iterable<readonly [name: string, metric: MetricStream]>;
};

/** A metric of the flat layout whose series are generated while they are written. */
export type LegacyMetricStream = Omit<LegacyMetric, 'series'> & {
  readonly series: Iterable<LegacyMetric['series'][number]>;
};

/** A document of the flat layout that is too large for memory; see `ServerMetricsStream`. */
export type LegacyServerMetricsStream = Omit<LegacyServerMetricsDocument, 'metrics'> & {
  readonly metrics: Iterable<readonly [name: string, metric: LegacyMetricStream]>;
};
