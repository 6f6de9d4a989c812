import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { RunClock } from '../clock.ts';
import { createFailure, type Failure, toFailure } from '../failure.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connectionPool.ts';
import type { ConnectTimes } from './connector.ts';
import { type ArrivalTime, SocketReads } from './socketReads.ts';

/** An HTTP POST request and its timeout. */
export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Timeout from the start to the last byte, in ms. */
  readonly timeoutMs: number;
  /** Use a keep-alive connection from the pool. */
  readonly canReuseConnection: boolean;
  /** Return the connection to the pool afterwards. */
  readonly keepsConnection: boolean;
  /** The session that the connection belongs to; undefined if all requests share connections. */
  readonly session: string | undefined;
}

/** Callbacks for the events of an exchange, called as they happen. */
export interface ExchangeListener {
  /** Called when the response headers have arrived. */
  onHeaders(status: number, headers: IncomingHttpHeaders): void;
  /** Called with bytes of the body. The buffer is not reused, so it need not be copied. */
  onBytes(arrival: ArrivalTime, bytes: Buffer): void;
  /** Called when the request has been written. */
  onSent?(): void;
  /** Called once, when the exchange has ended. `failure` is undefined if it succeeded. */
  onEnd(failure: Failure | undefined): void;
}

/**
 * Minimum idle time, in ns, before a reset is attributed to the server's keep-alive timeout. Servers keep idle
 * connections open for longer than this (gunicorn 2 s, uvicorn and Node 5 s, nginx 75 s).
 */
const MIN_IDLE_NS = 0.4e9;
/**
 * Maximum time between sending and a reset attributed to the keep-alive timeout, in ns; such a reset arrives
 * within one round trip.
 */
const MAX_RESET_DELAY_NS = 1e9;

/** One HTTP request with its times, in ns since the run's origin; undefined for steps that did not happen. */
export class Exchange {
  /** When the request was handed to the HTTP layer. */
  readonly startNs: number;
  sendStartNs: number | undefined;
  /** When the operating system had accepted the whole request. */
  sendEndNs: number | undefined;
  /** Arrival of the response headers. */
  firstByteNs: number | undefined;
  endNs: number | undefined;
  connect: ConnectTimes | undefined;
  isReused = false;
  /** True if the request was sent again because the server had closed the idle connection. */
  isResent = false;
  /** Size of the response body on the wire, in bytes, and number of socket reads that returned it. */
  bodyBytes = 0;
  reads = 0;
  /** Bytes written to and read from the socket for this request, including headers. */
  bytesSent = 0;
  bytesReceived = 0;
  status: number | undefined;
  /** The `Date` header of the response; undefined if there is none. */
  date: string | undefined;
  readonly #clock: RunClock;
  readonly #pool: ConnectionPool;
  readonly #request: HttpRequest;
  readonly #listener: ExchangeListener;
  #lastArrival: ArrivalTime | undefined;
  #connection: Connection | undefined;
  /** The socket's byte counters when the request started. */
  #writtenBefore = 0;
  #readBefore = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopReason: Failure | undefined;

  constructor(clock: RunClock, pool: ConnectionPool, request: HttpRequest, listener: ExchangeListener) {
    this.#clock = clock;
    this.#pool = pool;
    this.#request = request;
    this.#listener = listener;
    this.startNs = clock.nowNs();
    this.#timer = setTimeout(
      () => this.stop(createTimeoutFailure(request.timeoutMs)),
      Math.min(request.timeoutMs, 2 ** 31 - 1),
    );
    const { origin, session, canReuseConnection } = request;
    this.#send(canReuseConnection ? pool.take(origin, session) : pool.create(origin));
  }

  /**
   * Start of connecting, or of sending if the connection was already open. Time before this was spent waiting
   * for the client's event loop and is not server latency.
   */
  get wireStartNs(): number {
    return this.connect?.startNs ?? this.sendStartNs ?? this.startNs;
  }

  /** Arrival of the last byte received. */
  get lastByteNs(): number | undefined {
    return this.#lastArrival?.atNs;
  }

  /** Aborts the exchange with the given failure. Does nothing if the exchange has ended. */
  stop(reason: Failure): void {
    if (this.endNs !== undefined) return;
    this.#stopReason = reason;
    this.#pool.discard(this.#connection!);
    // undici reports the error late if the request is still waiting for its connection.
    this.#finish(reason);
  }

  #send(connection: Connection): void {
    const { origin, path, headers, body } = this.#request;
    this.#connection = connection;
    const options = { origin, path, method: 'POST', headers: headers as string[], body } as const;
    connection.send(options, this.#createHandler(connection));
  }

  #createHandler(connection: Connection): Dispatcher.DispatchHandler {
    const reads = new SocketReads(this.#clock, this.#pool.arrivalClock);
    const date = (): ArrivalTime => reads.date(connection.socket!.bytesRead);
    return {
      onRequestStart: () => this.#onStart(connection),
      onResponseStart: (_controller, status, headers) => this.#onHeaders(date(), status, headers),
      onResponseData: (_controller, bytes) => {
        this.#lastArrival = date();
        this.bodyBytes += bytes.length;
        this.reads += 1;
        this.#listener.onBytes(this.#lastArrival, bytes);
      },
      onResponseEnd: () => this.#finish(undefined),
      onResponseError: (_controller, error) => this.#onError(connection, error),
    };
  }

  #onStart(connection: Connection): void {
    this.sendStartNs = this.#clock.nowNs();
    this.connect = connection.connectTimes;
    this.isReused = connection.isReused;
    this.#writtenBefore = connection.socket?.bytesWritten ?? 0;
    this.#readBefore = connection.socket?.bytesRead ?? 0;
    // undici writes headers and body in a single write, right after this call.
    queueMicrotask(() => this.#awaitWritten(connection));
  }

  #awaitWritten(connection: Connection): void {
    const { socket } = connection;
    const onWritten = (): void => {
      this.sendEndNs ??= this.#clock.nowNs();
      this.#listener.onSent?.();
    };
    if (socket && socket.writableLength > 0) socket.once('drain', onWritten);
    else onWritten();
  }

  #onHeaders(arrival: ArrivalTime, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses such as "103 Early Hints" precede the response.
    if (status < 200) return;
    this.firstByteNs = arrival.atNs;
    this.#lastArrival = arrival;
    this.status = status;
    this.date = typeof headers.date === 'string' ? headers.date : undefined;
    this.#listener.onHeaders(status, headers);
  }

  #onError(connection: Connection, error: Error): void {
    if (this.endNs !== undefined) return;
    if (this.#isKeepAliveTimeout(connection, error)) {
      this.isResent = true;
      this.#pool.discard(connection);
      this.sendEndNs = undefined;
      this.#send(this.#pool.create(this.#request.origin));
      return;
    }
    this.#finish(this.#stopReason ?? toFailure(error));
  }

  /**
   * Reports whether the server closed an idle connection just as the request was sent on it. The server has not
   * processed such a request, so it can be resent. Any other reset is a failure.
   */
  #isKeepAliveTimeout(connection: Connection, error: Error): boolean {
    if (!this.isReused || this.isResent || this.firstByteNs !== undefined || !isReset(error)) return false;
    const sinceSendNs = this.#clock.nowNs() - (this.sendStartNs ?? this.startNs);
    return connection.idleNs >= MIN_IDLE_NS && sinceSendNs <= MAX_RESET_DELAY_NS;
  }

  #finish(reason: Failure | undefined): void {
    if (this.endNs !== undefined) return;
    clearTimeout(this.#timer);
    this.endNs = this.#clock.nowNs();
    const connection = this.#connection!;
    const socket = connection.socket;
    if (this.sendStartNs !== undefined && socket) {
      this.bytesSent = socket.bytesWritten - this.#writtenBefore;
      this.bytesReceived = socket.bytesRead - this.#readBefore;
    }
    if (reason || !this.#request.keepsConnection) this.#pool.discard(connection);
    else this.#pool.release(connection, this.#request.session);
    this.#listener.onEnd(reason);
  }
}

function isReset(error: Error): boolean {
  return toFailure(error).type === 'ConnectionReset';
}

function createTimeoutFailure(timeoutMs: number): Failure {
  return createFailure('RequestTimeout', `no complete response within ${timeoutMs / 1000} s`);
}
