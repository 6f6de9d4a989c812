import type { IncomingHttpHeaders } from 'node:http';
import type { RunClock } from '../clock.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { type Failure, failure } from '../failure.ts';
import type { ConnectionPool } from '../http/connectionPool.ts';
import { Exchange, type HttpRequest } from '../http/exchange.ts';
import { decoded } from '../response/contentEncoding.ts';
import { RefusalReader } from '../response/errorBodyReader.ts';
import { EventReader } from '../response/eventStreamReader.ts';
import { WholeReader } from '../response/jsonBodyReader.ts';
import type { Backlog } from '../response/readQueue.ts';
import { Answer, type BodyReader } from '../response/response.ts';
import type { Endings } from '../response/truncationDetector.ts';

/** What all requests of a run share. */
export interface Line {
  readonly clock: RunClock;
  readonly pool: ConnectionPool;
  readonly backlog: Backlog;
  readonly endpoint: Endpoint;
  /** Whether a stream is asked for. */
  readonly streaming: boolean;
  readonly endings: Endings;
}

/** One request under way: the HTTP exchange and the reading of its answer. */
export class Sending {
  readonly answer: Answer = new Answer();
  readonly exchange: Exchange;
  /** When it was stopped by us. */
  cancelledNs: number | undefined;
  readonly #line: Line;
  readonly #origin: string;
  readonly #finished: (sending: Sending) => void;
  readonly #cancelAfterMs: number | undefined;
  #reader: BodyReader | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Sends at once. `cancelAfterMs`: how long after sending the client hangs up, if it does. */
  constructor(
    line: Line,
    request: HttpRequest,
    cancelAfterMs: number | undefined,
    finished: (sending: Sending) => void,
  ) {
    this.#line = line;
    this.#origin = request.origin;
    this.#cancelAfterMs = cancelAfterMs;
    this.#finished = finished;
    this.exchange = new Exchange(line.clock, line.pool, request, {
      answered: (status, headers) => this.#answered(status, headers),
      received: (atNs, bytes) => line.backlog.bytes(this.#reader!, atNs, bytes),
      sent: () => this.#sent(),
      over: reason => this.#over(reason),
    });
  }

  /** Hangs up. */
  cancel(reason: Failure): void {
    if (this.exchange.endNs !== undefined) return;
    this.cancelledNs = this.#line.clock.now();
    this.exchange.stop(reason);
  }

  #sent(): void {
    if (this.#cancelAfterMs === undefined || this.#timer) return;
    const reason = failure(
      'RequestCancellationError',
      `cancelled ${this.#cancelAfterMs / 1000} s after it had been sent`,
      499,
    );
    this.#timer = setTimeout(() => this.cancel(reason), this.#cancelAfterMs);
  }

  #answered(status: number, headers: IncomingHttpHeaders): void {
    const reader = this.#readerFor(status, headers);
    this.#reader = decoded(String(headers['content-encoding'] ?? ''), reader, this.answer);
  }

  #readerFor(status: number, headers: IncomingHttpHeaders): BodyReader {
    const { endpoint, streaming } = this.#line;
    if (status >= 300 && status < 400) {
      const place = headers.location ?? 'nowhere';
      return new RefusalReader(
        this.answer,
        'Redirect',
        status,
        `redirects to ${place}, which is not followed`,
      );
    }
    if (status >= 400) {
      const again = headers['retry-after'];
      const what = `HTTP status ${status}${again === undefined ? '' : ` (retry after ${again})`}`;
      return new RefusalReader(this.answer, 'HttpError', status, what);
    }
    const type = String(headers['content-type'] ?? '');
    const expected = streaming ? 'text/event-stream' : 'application/json';
    const isRight = type === '' || type.toLowerCase().includes(streaming ? 'event-stream' : 'json');
    if (!isRight) {
      const what = `content-type is ${JSON.stringify(type)}; expected ${expected}`;
      return new RefusalReader(this.answer, 'UnexpectedContentType', status, what);
    }
    return streaming ? new EventReader(endpoint, this.answer) : new WholeReader(endpoint, this.answer);
  }

  #over(reason: Failure | undefined): void {
    clearTimeout(this.#timer);
    const { endings, streaming } = this.#line;
    const done = (): void => {
      if (reason) this.answer.fail(reason);
      else if (streaming) endings.judge(this.#origin, this.answer);
      this.#finished(this);
    };
    // A request that fails while it is being made is over before its maker has it.
    if (this.#reader) this.#line.backlog.end(this.#reader, reason === undefined, done);
    else setImmediate(done);
  }
}
