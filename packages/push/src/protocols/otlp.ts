import { ValueType } from '@opentelemetry/api';
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { type Batch, countPoints, type Family, isHistogram } from '../metrics/batch.ts';
import { getRunLabels, JOB } from '../metrics/prometheusNames.ts';
import { describeReply, type EncodedBatch, type Protocol, type Reply, type Verdict } from './protocol.ts';

/** Statuses after which the specification of OTLP/HTTP allows a retry. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const SCOPE = { name: '@servelens/push' };

/** The encodings of OTLP over HTTP. */
export type OtlpEncoding = 'protobuf' | 'json';

/** OTLP over HTTP, encoded by OpenTelemetry's serializers. */
export class Otlp implements Protocol {
  readonly version: undefined = undefined;
  readonly #encoding: OtlpEncoding;

  constructor(encoding: OtlpEncoding) {
    this.#encoding = encoding;
  }

  get #serializer(): typeof ProtobufMetricsSerializer {
    return this.#encoding === 'json' ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  }

  encode(batch: Batch): EncodedBatch {
    const body = this.#serializer.serializeRequest(toResourceMetrics(batch));
    if (!body) throw new Error('BUG: the serializer returned nothing');
    const type = this.#encoding === 'json' ? 'application/json' : 'application/x-protobuf';
    return { body, headers: { 'content-type': type } };
  }

  judge(reply: Reply, batch: Batch): Verdict {
    const { status, body } = reply;
    if (status >= 200 && status < 300) return this.#readPartialSuccess(body);
    if (RETRYABLE.has(status)) return { kind: 'retry', message: describeReply(reply) };
    return { kind: 'rejected', rejected: countPoints(batch), message: describeReply(reply) };
  }

  /** Reads the number of points that the receiver rejected. A body that is not a response of OTLP rejects none. */
  #readPartialSuccess(body: Uint8Array): Verdict {
    if (body.length === 0) return { kind: 'accepted', rejected: 0 };
    try {
      const { partialSuccess } = this.#serializer.deserializeResponse(body);
      const rejected = Number(partialSuccess?.rejectedDataPoints ?? 0);
      const message = partialSuccess?.errorMessage;
      return { kind: 'accepted', rejected, ...(message ? { message } : {}) };
    } catch {
      return { kind: 'accepted', rejected: 0 };
    }
  }
}

function toResourceMetrics(batch: Batch): ResourceMetrics {
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
