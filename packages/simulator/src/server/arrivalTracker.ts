import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';

/** Tracks the arrival times of requests on a server's sockets, in ns of the monotonic clock. */
export class ArrivalTracker {
  readonly #clock = new ArrivalClock(() => performance.now() * 1e6, performance.nodeTiming, setImmediate);
  /**
   * Connections that have not sent a request yet: the time at which the connection was accepted, and the
   * event loop's total idle time until then, in ms.
   */
  readonly #newConnections = new WeakMap<Socket, { readonly atNs: number; readonly idleMs: number }>();

  /** Marks the start of work during which no sockets are read. */
  beginWork(): void {
    this.#clock.beginWork();
  }

  /** Adds a connection that has just been accepted. */
  addConnection(socket: Socket): void {
    this.#newConnections.set(socket, { atNs: this.#clock.now(), idleMs: performance.nodeTiming.idleTime });
  }

  /**
   * Returns the arrival time of the request that is being read, in ns of the monotonic clock. If the event loop
   * has not been idle since it accepted the connection, the first request is assumed to have arrived together
   * with the connection.
   */
  takeArrivalNs(socket: Socket): number {
    const atNs = this.#clock.now();
    const connection = this.#newConnections.get(socket);
    if (!connection) return atNs;
    this.#newConnections.delete(socket);
    return this.#clock.hasWaitedSince(connection.idleMs) ? atNs : connection.atNs;
  }
}
