import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { RunClock } from '../clock.ts';
import { type ConnectOptions, type ConnectTimes, timedConnector } from './connector.ts';

/** An idle connection is given up after this many ms, unless the server names its own limit. */
const KEEP_ALIVE_MS = 60_000;

/**
 * One connection for one request at a time. With a client of undici for each, it is known which connection a request took
 * and what making it cost, without asking the library for more than it promises.
 */
export class Connection {
  readonly #client: Client;
  readonly #clock: RunClock;
  #times: ConnectTimes | undefined;
  #socket: Socket | undefined;
  #requests = 0;
  #restingSinceNs: number | undefined;
  #restedNs = 0;

  constructor(origin: string, clock: RunClock, options: ConnectOptions) {
    this.#clock = clock;
    this.#client = new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The limits of a request are its own: these would be checked by a clock that ticks once a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: timedConnector(clock, options, (times, socket) => {
        this.#times = times;
        this.#socket = socket;
        this.#requests = 1;
      }),
    });
  }

  /** Sends a request. The next one may follow when this one is over. */
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#restedNs = this.#restingSinceNs === undefined ? 0 : this.#clock.now() - this.#restingSinceNs;
    this.#times = undefined;
    this.#requests += 1;
    this.#client.dispatch(request, handler);
  }

  /** Told when a request is over and the next one may follow. */
  rest(): void {
    this.#restingSinceNs = this.#clock.now();
  }

  /** How long it had lain idle when the present request took it, ns. */
  get restedNs(): number {
    return this.#restedNs;
  }

  /** Times of the connect that the present request needed; undefined when its connection was there already. */
  get connectTimes(): ConnectTimes | undefined {
    return this.#times;
  }

  get socket(): Socket | undefined {
    return this.#socket;
  }

  /** Whether the present request goes over a connection that has carried one before. */
  get isReused(): boolean {
    return this.#times === undefined && this.#requests > 1;
  }

  /** Cuts the connection; a request on it fails. */
  destroy(error: Error): void {
    void this.#client.destroy(error).catch(() => {});
  }
}
