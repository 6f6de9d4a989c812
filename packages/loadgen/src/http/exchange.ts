import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { RunClock } from '../clock.ts';
import { type Failure, failure, failureOf } from '../failure.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connectionPool.ts';
import type { ConnectTimes } from './connector.ts';

/** What is sent, and how long it may take. */
export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** From the start to the last byte, ms. */
  readonly timeoutMs: number;
  /** Whether a kept-alive connection may be used. */
  readonly reuse: boolean;
}

/** Told of what comes, at the moment at which it comes. */
export interface ExchangeListener {
  /** The head of the answer is there. */
  answered(status: number, headers: IncomingHttpHeaders): void;
  /** Bytes of the body. They stay as they are: nobody writes into them later. */
  received(atNs: number, bytes: Buffer): void;
  /** The request has been written. */
  sent?(): void;
  /** All is over, with a failure or without; called once. */
  over(failure: Failure | undefined): void;
}

/** Servers keep idle connections for a second and more (gunicorn 2 s, uvicorn and Node 5 s, nginx 75 s). */
const LEAST_IDLE_NS = 0.4e9;
/** A request that crosses the end of its connection learns of it within a round trip. */
const MOST_RACE_NS = 1e9;

/** One HTTP request with its times, ns of the run; undefined for what did not happen. */
export class Exchange {
  /** When it was handed to the HTTP layer. */
  readonly startNs: number;
  sendStartNs: number | undefined;
  /** When the kernel had taken all of it. */
  sendEndNs: number | undefined;
  /** When the head of the answer was there. */
  firstByteNs: number | undefined;
  lastByteNs: number | undefined;
  endNs: number | undefined;
  connect: ConnectTimes | undefined;
  reused = false;
  /** Set when an idle connection broke as the request took it, and it was sent once more. */
  resent = false;
  /** Bytes and reads of the body as they came over the wire. */
  bodyBytes = 0;
  reads = 0;
  /** Bytes written to and read from the socket for this request, heads included. */
  bytesSent = 0;
  bytesReceived = 0;
  status: number | undefined;
  readonly #clock: RunClock;
  readonly #pool: ConnectionPool;
  readonly #request: HttpRequest;
  readonly #listener: ExchangeListener;
  #connection: Connection | undefined;
  #written = 0;
  #read = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped: Failure | undefined;

  constructor(clock: RunClock, pool: ConnectionPool, request: HttpRequest, listener: ExchangeListener) {
    this.#clock = clock;
    this.#pool = pool;
    this.#request = request;
    this.#listener = listener;
    pool.arrivals.beginWork();
    this.startNs = clock.now();
    this.#timer = setTimeout(
      () => this.stop(timedOut(request.timeoutMs)),
      Math.min(request.timeoutMs, 2 ** 31 - 1),
    );
    this.#send(request.reuse ? pool.take(request.origin) : pool.fresh(request.origin));
  }

  /**
   * When it began for the server: connecting, or sending over a connection that was there. What lies before is the client's own
   * wait for its event loop, and no latency of the server.
   */
  get begunNs(): number {
    return this.connect?.startNs ?? this.sendStartNs ?? this.startNs;
  }

  /** Ends it now, with the given reason. Does nothing when it is over. */
  stop(reason: Failure): void {
    if (this.endNs !== undefined) return;
    this.#stopped = reason;
    this.#pool.discard(this.#connection!);
    // A request that waits for its connection learns of its end only now and then: it is over all the same.
    this.#finish(reason);
  }

  #send(connection: Connection): void {
    const { origin, path, headers, body } = this.#request;
    this.#connection = connection;
    const dispatched = { origin, path, method: 'POST', headers: headers as string[], body } as const;
    connection.send(dispatched, this.#handler(connection));
  }

  #handler(connection: Connection): Dispatcher.DispatchHandler {
    return {
      onRequestStart: () => this.#started(connection),
      onResponseStart: (_controller, status, headers) => this.#answered(status, headers),
      onResponseData: (_controller, bytes) => {
        const atNs = Math.max(this.#pool.arrivals.now(), this.firstByteNs ?? 0);
        this.lastByteNs = atNs;
        this.bodyBytes += bytes.length;
        this.reads += 1;
        this.#listener.received(atNs, bytes);
      },
      onResponseEnd: () => this.#finish(undefined),
      onResponseError: (_controller, error) => this.#failed(connection, error),
    };
  }

  #started(connection: Connection): void {
    this.sendStartNs = this.#clock.now();
    this.connect = connection.connectTimes;
    this.reused = connection.isReused;
    this.#written = connection.socket?.bytesWritten ?? 0;
    this.#read = connection.socket?.bytesRead ?? 0;
    // The library writes head and body right behind this call, in one piece.
    queueMicrotask(() => this.#watchWriting(connection));
  }

  #watchWriting(connection: Connection): void {
    const { socket } = connection;
    const done = (): void => {
      this.sendEndNs ??= this.#clock.now();
      this.#listener.sent?.();
    };
    if (socket && socket.writableLength > 0) socket.once('drain', done);
    else done();
  }

  #answered(status: number, headers: IncomingHttpHeaders): void {
    // Hints such as "103 Early Hints" come before the answer.
    if (status < 200) return;
    // A turn may have begun before the request was written, and its answer cannot have come before.
    this.firstByteNs = this.#pool.arrivals.now(this.sendEndNs);
    this.lastByteNs = this.firstByteNs;
    this.status = status;
    this.#listener.answered(status, headers);
  }

  #failed(connection: Connection, error: Error): void {
    if (this.endNs !== undefined) return;
    if (this.#wasIdleTooLong(connection, error)) {
      this.resent = true;
      this.#pool.discard(connection);
      this.sendEndNs = undefined;
      this.#send(this.#pool.fresh(this.#request.origin));
      return;
    }
    this.#finish(this.#stopped ?? failureOf(error));
  }

  /**
   * A server may close an idle connection at the moment at which it is used again; nobody has seen the request then. One that
   * breaks a busy connection, or after a while, has seen it: that is a failure.
   */
  #wasIdleTooLong(connection: Connection, error: Error): boolean {
    if (!this.reused || this.resent || this.firstByteNs !== undefined || !isReset(error)) return false;
    const sinceNs = this.#clock.now() - (this.sendStartNs ?? this.startNs);
    return connection.restedNs >= LEAST_IDLE_NS && sinceNs <= MOST_RACE_NS;
  }

  #finish(reason: Failure | undefined): void {
    if (this.endNs !== undefined) return;
    clearTimeout(this.#timer);
    this.endNs = this.#clock.now();
    const connection = this.#connection!;
    const socket = connection.socket;
    if (this.sendStartNs !== undefined && socket) {
      this.bytesSent = socket.bytesWritten - this.#written;
      this.bytesReceived = socket.bytesRead - this.#read;
    }
    if (reason || !this.#request.reuse) this.#pool.discard(connection);
    else this.#pool.release(this.#request.origin, connection);
    this.#listener.over(reason);
  }
}

function isReset(error: Error): boolean {
  const { type } = failureOf(error);
  return type === 'ConnectionReset';
}

function timedOut(timeoutMs: number): Failure {
  return failure('RequestTimeout', `no complete answer within ${timeoutMs / 1000} s`);
}
