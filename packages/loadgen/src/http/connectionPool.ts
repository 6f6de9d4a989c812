import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';
import type { RunClock } from '../clock.ts';
import { Connection } from './connection.ts';
import type { ConnectOptions } from './connector.ts';
import { reserveDescriptors } from './fileDescriptors.ts';

/** Kept-alive connections by origin. The one used last is taken first, so that few stay open. */
export class ConnectionPool {
  /** When what is read from its connections had arrived. */
  readonly arrivals: ArrivalClock;
  readonly #clock: RunClock;
  readonly #options: ConnectOptions;
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();

  constructor(clock: RunClock, options: ConnectOptions) {
    this.#clock = clock;
    this.arrivals = new ArrivalClock(() => clock.now(), performance.nodeTiming, setImmediate);
    this.#options = options;
    reserveDescriptors();
  }

  /** An idle connection, or a new one. */
  take(origin: string): Connection {
    return this.#idle.get(origin)?.pop() ?? this.fresh(origin);
  }

  /** A connection that no request has used. */
  fresh(origin: string): Connection {
    const connection = new Connection(origin, this.#clock, this.#options);
    this.#all.add(connection);
    return connection;
  }

  /** Gives a connection back for the next request. */
  release(origin: string, connection: Connection): void {
    if (!this.#all.has(connection)) return;
    connection.rest();
    const idle = this.#idle.get(origin);
    if (idle) idle.push(connection);
    else this.#idle.set(origin, [connection]);
  }

  /** Cuts a connection for good; a request on it fails with the error. */
  discard(connection: Connection, error: Error = new Error('the connection is no longer needed')): void {
    if (this.#all.delete(connection)) connection.destroy(error);
  }

  /** Cuts all connections. */
  close(): void {
    this.#idle.clear();
    for (const connection of this.#all) this.discard(connection);
  }
}
