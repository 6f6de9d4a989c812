import type { IncomingHttpHeaders } from 'node:http';
import type { RunClock } from '../clock.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { createFailure, type Failure } from '../failure.ts';
import type { ConnectionPool } from '../http/connectionPool.ts';
import { Exchange, type HttpRequest } from '../http/exchange.ts';
import { getOutcome, type Outcome } from '../requestRecord.ts';
import { decompress } from '../response/contentEncoding.ts';
import { ErrorBodyReader } from '../response/errorBodyReader.ts';
import { EventStreamReader } from '../response/eventStreamReader.ts';
import { JsonBodyReader } from '../response/jsonBodyReader.ts';
import type { ReadQueue } from '../response/readQueue.ts';
import { type BodyReader, ParsedResponse } from '../response/response.ts';
import type { TruncationDetector } from '../response/truncationDetector.ts';

/** Objects shared by all requests of a run. */
export interface RequestContext {
  readonly clock: RunClock;
  readonly pool: ConnectionPool;
  readonly readQueue: ReadQueue;
  readonly endpoint: Endpoint;
  /** True if streamed responses are requested. */
  readonly streaming: boolean;
  readonly truncation: TruncationDetector;
  /** True to keep the bodies of responses as received. */
  readonly keepRaw: boolean;
}

/** Callbacks of an {@link InFlightRequest}. */
export interface RequestListener {
  /** Called when the request has ended. */
  readonly onEnd: (request: InFlightRequest) => void;
  /** Called when the first token has arrived. */
  readonly onFirstToken?: (() => void) | undefined;
}

/** A request in flight: its HTTP exchange and its response, parsed as it arrives. */
export class InFlightRequest {
  readonly response: ParsedResponse = new ParsedResponse();
  readonly exchange: Exchange;
  /** Scheme, host and port of the server. */
  readonly origin: string;
  readonly #context: RequestContext;
  readonly #onEnd: (request: InFlightRequest) => void;
  readonly #cancelAfterMs: number | undefined;
  #reader: BodyReader | undefined;
  #cancelTimer: NodeJS.Timeout | undefined;
  #cancelledNs: number | undefined;
  #cancelReason: Failure | undefined;

  /** Sends the request and cancels it `cancelAfterMs` after it was sent, unless `cancelAfterMs` is undefined. */
  constructor(
    context: RequestContext,
    request: HttpRequest,
    cancelAfterMs: number | undefined,
    { onEnd, onFirstToken }: RequestListener,
  ) {
    this.#context = context;
    this.response.onFirstContent = onFirstToken;
    if (context.keepRaw) this.response.rawMessages = [];
    this.origin = request.origin;
    this.#cancelAfterMs = cancelAfterMs;
    this.#onEnd = onEnd;
    this.exchange = new Exchange(context.clock, context.pool, request, {
      onHeaders: (status, headers) => this.#onHeaders(status, headers),
      onBytes: (arrival, bytes) => context.readQueue.addBytes(this.#reader!, arrival, bytes),
      onSent: () => this.#onSent(),
      onEnd: reason => this.#onExchangeEnd(reason),
    });
  }

  /** The outcome of the request after it has ended. */
  get outcome(): Outcome {
    return getOutcome({ failure: this.response.findFailure(), cancelled: this.cancelledNs !== undefined });
  }

  /** When the client cancelled the request; undefined if it had failed before, for example with an error event. */
  get cancelledNs(): number | undefined {
    return this.response.failure === this.#cancelReason ? this.#cancelledNs : undefined;
  }

  /** Closes the connection and cancels the request. Does nothing if the request has ended. */
  cancel(reason: Failure): void {
    if (this.exchange.endNs !== undefined) return;
    this.#cancelledNs = this.#context.clock.nowNs();
    this.#cancelReason = reason;
    this.exchange.stop(reason);
  }

  #onSent(): void {
    if (this.#cancelAfterMs === undefined || this.#cancelTimer) return;
    const reason = createFailure(
      'RequestCancellationError',
      `cancelled ${this.#cancelAfterMs / 1000} s after it was sent`,
      499,
    );
    this.#cancelTimer = setTimeout(() => this.cancel(reason), this.#cancelAfterMs);
  }

  #onHeaders(status: number, headers: IncomingHttpHeaders): void {
    const reader = this.#createReader(status, headers);
    this.#reader = decompress(String(headers['content-encoding'] ?? ''), reader, this.response);
  }

  #createReader(status: number, headers: IncomingHttpHeaders): BodyReader {
    const { endpoint, streaming } = this.#context;
    if (status >= 300 && status < 400) {
      const location = headers.location ?? 'an unknown location';
      const problem = `redirect to ${location}; redirects are not followed`;
      return new ErrorBodyReader(this.response, 'Redirect', status, problem);
    }
    if (status >= 400) {
      const retryAfter = headers['retry-after'];
      const problem = `HTTP status ${status}${retryAfter === undefined ? '' : ` (retry after ${retryAfter})`}`;
      return new ErrorBodyReader(this.response, 'HttpError', status, problem);
    }
    const type = String(headers['content-type'] ?? '');
    const expected = streaming ? 'text/event-stream' : 'application/json';
    const isExpected =
      type === '' ||
      (endpoint.acceptsPlainText && !streaming) ||
      type.toLowerCase().includes(streaming ? 'event-stream' : 'json');
    if (!isExpected) {
      const problem = `content-type is ${JSON.stringify(type)}; expected ${expected}`;
      return new ErrorBodyReader(this.response, 'UnexpectedContentType', status, problem);
    }
    this.response.contentType = type;
    return streaming
      ? new EventStreamReader(endpoint, this.response)
      : new JsonBodyReader(endpoint, this.response);
  }

  #onExchangeEnd(reason: Failure | undefined): void {
    clearTimeout(this.#cancelTimer);
    const { truncation, streaming, readQueue, endpoint } = this.#context;
    const finish = (): void => {
      if (reason) this.response.fail(reason);
      else if (streaming) truncation.check(this.origin, this.response, endpoint.endsWithReason);
      this.#onEnd(this);
    };
    if (this.#reader) readQueue.addEnd(this.#reader, reason === undefined, finish);
    // A request may fail within the constructor, before the caller has received it.
    else setImmediate(finish);
  }
}
