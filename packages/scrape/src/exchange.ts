import type { Dispatcher } from 'undici';
import type { Clock } from './clock.ts';
import type { Failure } from './failure.ts';

/** One HTTP exchange. Success and failure have the same shape; `failure` tells which it was. */
export interface Fetched {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Wall time of the request, ns since 1970. */
  readonly sentNs: bigint;
  /** Wall time of the answer's first byte; undefined when none came. */
  readonly firstByteNs?: bigint;
  /** From sending to the last byte or the failure, in ms. */
  readonly durationMs: number;
  readonly status?: number;
  readonly contentType?: string;
  /** Bytes of the body as they came over the wire. */
  readonly encodedBytes: number;
  /** The decoded body; undefined when there is a failure. */
  readonly body?: Uint8Array;
  readonly failure?: Failure;
}

/** An exchange while it goes on. */
export class Exchange {
  url: string;
  contentType: string | undefined;
  encodedBytes = 0;
  body: Uint8Array | undefined;
  failure: Failure | undefined;
  readonly #clock: Clock;
  readonly #startedMs: number;
  #sentNs: bigint;
  #firstByteNs: bigint | undefined;
  #status: number | undefined;

  constructor(url: string, clock: Clock) {
    this.url = url;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
    this.#sentNs = clock.nowNs();
  }

  sent(): void {
    this.#sentNs = this.#clock.nowNs();
  }

  answered(answer: Dispatcher.ResponseData): void {
    this.#firstByteNs = this.#clock.nowNs();
    this.#status = answer.statusCode;
    const type = answer.headers['content-type'];
    this.contentType = Array.isArray(type) ? type[0] : type;
  }

  result(): Fetched {
    return {
      url: this.url,
      sentNs: this.#sentNs,
      durationMs: this.#clock.monotonicMs() - this.#startedMs,
      encodedBytes: this.encodedBytes,
      ...(this.#firstByteNs === undefined ? {} : { firstByteNs: this.#firstByteNs }),
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...(this.contentType === undefined ? {} : { contentType: this.contentType }),
      ...(this.failure ? { failure: this.failure } : this.body ? { body: this.body } : {}),
    };
  }
}
