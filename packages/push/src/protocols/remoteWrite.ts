import { compress } from 'snappyjs';
import { type Batch, countPoints } from '../metrics/batch.ts';
import { countSamples, flattenBatch } from '../metrics/flatSeries.ts';
import { getRunLabels, getSourceLabels } from '../metrics/prometheusNames.ts';
import { describeReply, type EncodedBatch, type Protocol, type Reply, type Verdict } from './protocol.ts';
import { encodeRequest, encodeWriteRequest } from './writeMessages.ts';

/** The headers of each version of the protocol. */
const VERSION_HEADERS = {
  '2.0': {
    'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
    'x-prometheus-remote-write-version': '2.0.0',
  },
  '1.0': { 'content-type': 'application/x-protobuf', 'x-prometheus-remote-write-version': '0.1.0' },
} as const;

/** Response header of remote write 2.0: the number of samples that the receiver has stored. */
const WRITTEN_HEADER = 'x-prometheus-remote-write-samples-written';

const UNSUPPORTED_MEDIA_TYPE = 415;
const TOO_MANY_REQUESTS = 429;

/**
 * Prometheus remote write. Starts with version 2.0, and changes to 1.0 if the receiver does not support 2.0: it responds with
 * 415, or it does not count the samples that it has stored. Receivers that do not read the content type decode the
 * message of 2.0 as an empty message of 1.0, and respond as if they had stored it.
 */
export class RemoteWrite implements Protocol {
  #version: keyof typeof VERSION_HEADERS = '2.0';
  /** True after a receiver has confirmed version 2.0. */
  #isConfirmed = false;

  get version(): string {
    return this.#version;
  }

  get encoding(): string {
    return `remote-write ${this.#version}`;
  }

  encode(batch: Batch): EncodedBatch {
    const families = flattenBatch(batch, { ...getSourceLabels(batch), ...getRunLabels(batch) });
    const context = {
      timeMs: Math.round(batch.timeMs),
      startMs: Math.round(batch.run.startMs),
      isEnd: batch.isEnd === true,
    };
    const message =
      this.#version === '2.0' ? encodeRequest(families, context) : encodeWriteRequest(families, context);
    return {
      body: compress(message),
      headers: { 'content-encoding': 'snappy', ...VERSION_HEADERS[this.#version] },
    };
  }

  judge(reply: Reply, batch: Batch): Verdict {
    const { status } = reply;
    const written = readWritten(reply);
    if (written !== undefined) this.#isConfirmed = true;
    if (this.#isOtherVersion(status)) {
      this.#version = '1.0';
      return { kind: 'other_version' };
    }
    const message = describeReply(reply);
    if (status >= 200 && status < 300) {
      const rejected = written === undefined ? 0 : countMissing(batch, written);
      return { kind: 'accepted', rejected, ...(rejected > 0 ? { message } : {}) };
    }
    if (status >= 500 || status === TOO_MANY_REQUESTS) return { kind: 'retry', message };
    const rejected = written === undefined ? countPoints(batch) : countMissing(batch, written);
    return { kind: 'rejected', rejected, message };
  }

  #isOtherVersion(status: number): boolean {
    if (this.#version !== '2.0' || this.#isConfirmed) return false;
    return status === UNSUPPORTED_MEDIA_TYPE || (status >= 200 && status < 300);
  }
}

/** Counts the points of a batch that were not stored. A histogram, which has several samples, may be stored in part. */
function countMissing(batch: Batch, written: number): number {
  return Math.min(countPoints(batch), Math.max(0, countSamples(batch) - written));
}

/** Reads the number of samples that a receiver of 2.0 has stored; undefined if it does not count them. */
function readWritten({ headers }: Reply): number | undefined {
  const text = headers[WRITTEN_HEADER];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
