import type { Clock } from '@org/core';
import type { Failure } from './failure.ts';
import type { ResponseHead } from './responseReceiver.ts';

/** The result of one HTTP exchange. Either `body` or `failure` is set. */
export interface FetchResult {
  /** The URL of the last request, after redirects. The query string of a redirect target is removed. */
  readonly url: string;
  /** The IP address of the most recent connection. */
  readonly address?: string;
  /** Time when the last request was sent, in nanoseconds since 1970. */
  readonly sentNs: bigint;
  /** Time when the last response head arrived, in nanoseconds since 1970; undefined if none arrived. */
  readonly firstByteNs?: bigint;
  /**
   * Time from the start of the exchange to the last byte or the failure, in milliseconds. Includes redirects.
   */
  readonly durationMs: number;
  /** HTTP status of the last response; undefined if no response arrived. */
  readonly status?: number;
  readonly contentType?: string;
  /** Size of the body as transferred, in bytes. */
  readonly encodedBytes: number;
  /** The decoded body; undefined if `failure` is set. */
  readonly body?: Uint8Array;
  readonly failure?: Failure;
  /**
   * Returns the body's buffer to the pool. Calling it is optional; the body must not be read afterwards.
   */
  readonly release?: () => void;
}

/** The state of an HTTP exchange that is in progress. */
export class Exchange {
  url: string;
  contentType: string | undefined;
  encodedBytes = 0;
  body: Uint8Array | undefined;
  failure: Failure | undefined;
  /** See `FetchResult.release`. */
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

  /** Records the time when a request is sent. */
  markSent(): void {
    this.#sentNs = this.#clock.nowNs();
  }

  /** Records the time when a response head arrives, and its contents. */
  markResponded({ status, headers }: ResponseHead): void {
    this.#firstByteNs = this.#clock.nowNs();
    this.#status = status;
    const type: string | readonly string[] | undefined = headers['content-type'];
    this.contentType = typeof type === 'object' ? type[0] : type;
  }

  /** The HTTP status; undefined before the response head has arrived. */
  get status(): number | undefined {
    return this.#status;
  }

  /** True if a response head has arrived. */
  get hasResponse(): boolean {
    return this.#firstByteNs !== undefined;
  }

  toResult(address: string | undefined): FetchResult {
    return {
      // The query string of a redirect target may contain a secret.
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
