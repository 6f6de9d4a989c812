import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';
import type { RunClock } from '../clock.ts';
import { Connection } from './connection.ts';
import type { ConnectOptions } from './connector.ts';
import { reserveDescriptors } from './fileDescriptors.ts';

/**
 * Pool of keep-alive connections by origin. Reuses the most recently used connection first, so that few stay
 * open. Connections of sessions are kept for the next request of the same session.
 */
export class ConnectionPool {
  /** Clock that timestamps received bytes. */
  readonly arrivalClock: ArrivalClock;
  readonly #clock: RunClock;
  readonly #options: ConnectOptions;
  readonly #idle = new Map<string, Connection[]>();
  /** Idle connections by session. */
  readonly #sessions = new Map<string, Connection>();
  readonly #all = new Set<Connection>();

  constructor(clock: RunClock, options: ConnectOptions) {
    this.#clock = clock;
    this.arrivalClock = new ArrivalClock(() => clock.nowNs(), performance.nodeTiming, setImmediate);
    this.#options = options;
    reserveDescriptors();
  }

  /** Returns an idle connection, or a new one. With a session, only its own connection is used again. */
  take(origin: string, session?: string): Connection {
    if (session !== undefined) return this.#takeSession(session) ?? this.create(origin);
    return this.#idle.get(origin)?.pop() ?? this.create(origin);
  }

  /** Creates a connection, even if another one is idle. */
  create(origin: string): Connection {
    const connection = new Connection(origin, this.#clock, this.#options);
    this.#all.add(connection);
    return connection;
  }

  /** Returns a connection to the pool. A discarded connection is ignored. */
  release(connection: Connection, session?: string): void {
    if (!this.#all.has(connection)) return;
    connection.markIdle();
    if (session !== undefined) {
      this.#sessions.set(session, connection);
      return;
    }
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
  }

  /** Destroys a connection; its active request fails with `error`. */
  discard(connection: Connection, error: Error = new Error('the connection is no longer needed')): void {
    if (!this.#all.delete(connection)) return;
    const idle = this.#idle.get(connection.origin) ?? [];
    const index = idle.indexOf(connection);
    if (index !== -1) idle.splice(index, 1);
    connection.destroy(error);
  }

  /** Destroys the idle connection of a session, if it has one. */
  closeSession(session: string): void {
    const connection = this.#takeSession(session);
    if (connection) this.discard(connection);
  }

  #takeSession(session: string): Connection | undefined {
    const connection = this.#sessions.get(session);
    this.#sessions.delete(session);
    return connection;
  }

  /** Destroys all connections. */
  close(): void {
    this.#idle.clear();
    this.#sessions.clear();
    for (const connection of this.#all) this.discard(connection);
  }
}
