import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { RunClock } from '../clock.ts';
import { type ConnectOptions, type ConnectTimes, createTimedConnector } from './connector.ts';

/** Time after which an idle connection is closed, in ms, unless the server announces a different limit. */
const KEEP_ALIVE_MS = 60_000;

/**
 * A connection that carries one request at a time. Each connection uses a separate undici client, so that each
 * request can be attributed to a connection and connecting can be timed without relying on undici's internals.
 */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  readonly #clock: RunClock;
  #connectTimes: ConnectTimes | undefined;
  #socket: Socket | undefined;
  #requests = 0;
  #idleSinceNs: number | undefined;
  #idleNs = 0;

  constructor(origin: string, clock: RunClock, options: ConnectOptions) {
    this.origin = origin;
    this.#clock = clock;
    this.#client = new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Exchange implements the timeouts, because undici checks its own only once per second.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: createTimedConnector(clock, options, (times, socket) => {
        this.#connectTimes = times;
        this.#socket = socket;
        this.#requests = 1;
      }),
    });
  }

  /** Sends a request. The previous request must have ended. */
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#idleNs = this.#idleSinceNs === undefined ? 0 : this.#clock.nowNs() - this.#idleSinceNs;
    this.#connectTimes = undefined;
    this.#requests += 1;
    this.#client.dispatch(request, handler);
  }

  /** Marks the connection as idle after its request has ended. */
  markIdle(): void {
    this.#idleSinceNs = this.#clock.nowNs();
  }

  /** Idle time of the connection before the current request, in ns. */
  get idleNs(): number {
    return this.#idleNs;
  }

  /** Times of opening the connection for the current request; undefined if it was already open. */
  get connectTimes(): ConnectTimes | undefined {
    return this.#connectTimes;
  }

  get socket(): Socket | undefined {
    return this.#socket;
  }

  /** True if the connection has carried a request before the current one. */
  get isReused(): boolean {
    return this.#connectTimes === undefined && this.#requests > 1;
  }

  /** Closes the connection immediately. An active request fails with `error`. */
  destroy(error: Error): void {
    void this.#client.destroy(error).catch(() => {});
  }
}
