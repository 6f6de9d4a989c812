import type { Clock } from '../schedule/clock.ts';
import type { Failure } from './failure.ts';
import type { ResponseHead } from './responseReceiver.ts';

/** One HTTP exchange. Success and failure have the same shape; `failure` tells which it was. */
export interface Fetched {
  /** Where the answer came from, after redirects; where these led to is shown without its query. */
  readonly url: string;
  /** The IP address of the server that was connected to last. */
  readonly address?: string;
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
  /** Lets the memory of the body be used again, which must not be read any more then. Without it the body is garbage in time. */
  readonly release?: () => void;
}

/** An exchange while it goes on. */
export class Exchange {
  url: string;
  contentType: string | undefined;
  encodedBytes = 0;
  body: Uint8Array | undefined;
  failure: Failure | undefined;
  /** See `Fetched`. */
  release: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #startedMs: number;
  #sentNs: bigint;
  #firstByteNs: bigint | undefined;
  #status: number | undefined;
  readonly #requestedUrl: string;

  constructor(url: string, clock: Clock) {
    this.url = url;
    this.#requestedUrl = url;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
    this.#sentNs = clock.nowNs();
  }

  markSent(): void {
    this.#sentNs = this.#clock.nowNs();
  }

  markResponded({ status, headers }: ResponseHead): void {
    this.#firstByteNs = this.#clock.nowNs();
    this.#status = status;
    const type: string | readonly string[] | undefined = headers['content-type'];
    this.contentType = typeof type === 'object' ? type[0] : type;
  }

  /** The HTTP status of the answer, once it has come. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Whether the first byte of an answer has come. */
  get hasResponse(): boolean {
    return this.#firstByteNs !== undefined;
  }

  result(address: string | undefined): Fetched {
    return {
      // What a server puts behind the question mark may be a secret of its own.
      url: this.url === this.#requestedUrl ? this.url : this.url.replace(/\?.*/, ''),
      ...(address === undefined ? {} : { address }),
      sentNs: this.#sentNs,
      durationMs: this.#clock.monotonicMs() - this.#startedMs,
      encodedBytes: this.encodedBytes,
      ...(this.#firstByteNs === undefined ? {} : { firstByteNs: this.#firstByteNs }),
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...(this.contentType === undefined ? {} : { contentType: this.contentType }),
      ...(this.failure ? { failure: this.failure } : this.body ? { body: this.body } : {}),
      ...(this.release && !this.failure ? { release: this.release } : {}),
    };
  }
}
