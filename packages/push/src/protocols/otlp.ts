import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { type Batch, countPoints } from '../metrics/batch.ts';
import { encodeEndPoints } from './otlpEnd.ts';
import { type OtlpEncoding, toResourceMetrics } from './otlpMetrics.ts';
import { describeReply, type EncodedBatch, type Protocol, type Reply, type Verdict } from './protocol.ts';

/** Statuses after which the specification of OTLP/HTTP allows a retry. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** OTLP over HTTP, encoded by OpenTelemetry's serializers. */
export class Otlp implements Protocol {
  readonly version: undefined = undefined;
  readonly #encoding: OtlpEncoding;

  constructor(encoding: OtlpEncoding) {
    this.#encoding = encoding;
  }

  get encoding(): string {
    return `otlp ${this.#encoding}`;
  }

  get #serializer(): typeof ProtobufMetricsSerializer {
    return this.#encoding === 'json' ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  }

  encode(batch: Batch): EncodedBatch {
    const metrics = toResourceMetrics(batch);
    const body = batch.isEnd
      ? encodeEndPoints(metrics, this.#encoding)
      : this.#serializer.serializeRequest(metrics);
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
