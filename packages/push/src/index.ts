/** Sends the figures of a run to monitoring systems: OTLP, Prometheus remote write, and a metrics page. */

export type { DestinationDelivery } from './delivery.ts';
export type { Dispatcher, Receiver, ReceiverDelivery } from './dispatch/dispatcher.ts';
export { startThreadDispatcher } from './dispatch/threadDispatcher.ts';
export type { EndedRun } from './endedRun.ts';
export type { Labels } from './metrics/batch.ts';
export { METRICS, type MetricDefinition, type MetricKind } from './metrics/definition.ts';
export { toLabelName, toPrometheusName } from './metrics/prometheusNames.ts';
export type { RunDescription } from './metrics/runIdentity.ts';
export { MetricsPortError } from './page/metricsServer.ts';
export { Push, type PushOptions, type PushReport } from './push.ts';
