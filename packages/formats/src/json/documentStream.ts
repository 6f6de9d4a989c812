import type { LegacyMetric, LegacyServerMetricsDocument } from '../generated/legacyServerMetrics.ts';
import type { Metric, ServerMetricsDocument } from '../generated/serverMetrics.ts';

/** A metric whose series are made while they are written. */
export type MetricStream = Omit<Metric, 'series'> & { readonly series: Iterable<Metric['series'][number]> };

/**
 * A document of server metrics too large to be held: metrics and their series come as they are written, in the order of the
 * file, and can be gone through once.
 */
export type ServerMetricsStream = Omit<ServerMetricsDocument, 'metrics'> & {
  readonly metrics: Iterable<readonly [name: string, metric: MetricStream]>;
};

/** A metric of the flat layout whose series are made while they are written. */
export type LegacyMetricStream = Omit<LegacyMetric, 'series'> & {
  readonly series: Iterable<LegacyMetric['series'][number]>;
};

/** The same for the flat layout. */
export type LegacyServerMetricsStream = Omit<LegacyServerMetricsDocument, 'metrics'> & {
  readonly metrics: Iterable<readonly [name: string, metric: LegacyMetricStream]>;
};
