import { JsonMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import protobuf from 'protobufjs/light.js';
import type { OtlpEncoding } from './otlpMetrics.ts';

/** The flag of a point without a value, which marks that its series has ended. */
const NO_RECORDED_VALUE = 1;

const repeated = (type: string, id: number) => ({ rule: 'repeated', type, id }) as const;
const TIMES = {
  startTimeUnixNano: { type: 'fixed64', id: 2 },
  timeUnixNano: { type: 'fixed64', id: 3 },
} as const;
const TEMPORALITY = { type: 'int32', id: 2 } as const;

/** The messages of OTLP, with the fields of points without a value. OpenTelemetry's serializers do not write flags. */
const REQUEST = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceMetrics: repeated('ResourceMetrics', 1) } },
    ResourceMetrics: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeMetrics: repeated('ScopeMetrics', 2) },
    },
    Resource: { fields: { attributes: repeated('KeyValue', 1) } },
    ScopeMetrics: { fields: { scope: { type: 'Scope', id: 1 }, metrics: repeated('Metric', 2) } },
    Scope: { fields: { name: { type: 'string', id: 1 }, version: { type: 'string', id: 2 } } },
    KeyValue: { fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } } },
    AnyValue: { fields: { stringValue: { type: 'string', id: 1 } } },
    Metric: {
      fields: {
        name: { type: 'string', id: 1 },
        description: { type: 'string', id: 2 },
        unit: { type: 'string', id: 3 },
        gauge: { type: 'Gauge', id: 5 },
        sum: { type: 'Sum', id: 7 },
        histogram: { type: 'Histogram', id: 9 },
      },
    },
    Gauge: { fields: { dataPoints: repeated('NumberPoint', 1) } },
    Sum: {
      fields: {
        dataPoints: repeated('NumberPoint', 1),
        aggregationTemporality: TEMPORALITY,
        isMonotonic: { type: 'bool', id: 3 },
      },
    },
    Histogram: {
      fields: { dataPoints: repeated('HistogramPoint', 1), aggregationTemporality: TEMPORALITY },
    },
    NumberPoint: {
      fields: { ...TIMES, attributes: repeated('KeyValue', 7), flags: { type: 'uint32', id: 8 } },
    },
    HistogramPoint: {
      // A field of a group is written even if it is 0. Receivers have a series for the sum only if the sum is present.
      oneofs: { _sum: { oneof: ['sum'] } },
      fields: {
        ...TIMES,
        count: { type: 'fixed64', id: 4 },
        sum: { type: 'double', id: 5 },
        bucketCounts: repeated('fixed64', 6),
        explicitBounds: repeated('double', 7),
        attributes: repeated('KeyValue', 9),
        flags: { type: 'uint32', id: 10 },
      },
    },
  },
}).lookupType('Request');

/** A point as the JSON serializer writes it. */
interface JsonPoint {
  asDouble?: number;
  bucketCounts?: number[];
  count?: number;
  sum?: number;
  flags?: number;
}

interface JsonRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly Partial<
        Record<'gauge' | 'sum' | 'histogram', { readonly dataPoints: readonly JsonPoint[] }>
      >[];
    }[];
  }[];
}

/** Encodes points of series that have ended, without their values. */
export function encodeEndPoints(metrics: ResourceMetrics, encoding: OtlpEncoding): Uint8Array {
  const request: JsonRequest = JSON.parse(
    new TextDecoder().decode(JsonMetricsSerializer.serializeRequest(metrics)),
  );
  for (const { scopeMetrics } of request.resourceMetrics)
    for (const metric of scopeMetrics.flatMap(scope => scope.metrics))
      for (const point of (metric.gauge ?? metric.sum ?? metric.histogram)?.dataPoints ?? [])
        removeValue(point);
  if (encoding === 'json') return new TextEncoder().encode(JSON.stringify(request));
  return REQUEST.encode(REQUEST.fromObject(request)).finish();
}

/** Removes the value of a point. A histogram keeps its buckets without counts, because each one may be a series. */
function removeValue(point: JsonPoint): void {
  point.flags = NO_RECORDED_VALUE;
  delete point.asDouble;
  if (point.bucketCounts === undefined) return;
  point.bucketCounts = point.bucketCounts.map(() => 0);
  point.count = 0;
  point.sum = 0;
}
