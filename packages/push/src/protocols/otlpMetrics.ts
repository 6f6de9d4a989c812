import { ValueType } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { type Batch, type Family, isHistogram } from '../metrics/batch.ts';
import { getRunLabels, JOB } from '../metrics/prometheusNames.ts';

/** The encodings of OTLP over HTTP. */
export type OtlpEncoding = 'protobuf' | 'json';

const SCOPE = { name: '@servelens/push' };

/** Converts a batch to the metrics of OpenTelemetry's SDK, which its serializers accept. */
export function toResourceMetrics(batch: Batch): ResourceMetrics {
  const { run, families } = batch;
  return {
    resource: resourceFromAttributes({
      ...run.userLabels,
      'service.name': JOB,
      'service.version': run.version,
      'service.instance.id': run.runId,
    }),
    scopeMetrics: [
      {
        scope: { ...SCOPE, version: run.version },
        metrics: families.map(family => toMetricData(family, batch)),
      },
    ],
  };
}

function toMetricData(family: Family, batch: Batch): MetricData {
  const { definition, points } = family;
  const { name, description, unit, kind } = definition;
  const common = getRunLabels(batch);
  const base = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const times = { startTime: toHrTime(batch.run.startMs), endTime: toHrTime(batch.timeMs) };
  const toPoint = <T>(labels: Record<string, string>, value: T) => ({
    ...times,
    attributes: { ...common, ...labels },
    value,
  });
  if (kind === 'histogram')
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: points.flatMap(({ labels, value }) =>
        isHistogram(value)
          ? [
              toPoint(labels, {
                buckets: { boundaries: [...value.bounds], counts: [...value.counts] },
                sum: value.sum,
                count: value.count,
              }),
            ]
          : [],
      ),
    };
  const dataPoints = points.flatMap(({ labels, value }) =>
    isHistogram(value) ? [] : [toPoint(labels, value)],
  );
  return kind === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Converts milliseconds since 1970 to the times of OpenTelemetry: seconds and nanoseconds. */
function toHrTime(ms: number): [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
