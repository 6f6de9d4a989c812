import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';

/** Tracks when the requests on the sockets of a server arrived, in ns of the monotonic clock. */
export class ArrivalTracker {
  readonly #clock = new ArrivalClock(() => performance.now() * 1e6, performance.nodeTiming, setImmediate);
  /**
   * Connections without a request so far: time of acceptance, and total idle time of the event loop by then,
   * in ms.
   */
  readonly #newConnections = new WeakMap<Socket, { readonly atNs: number; readonly idleMs: number }>();

  /** Marks the start of work that reads no sockets. */
  beginWork(): void {
    this.#clock.beginWork();
  }

  /** Adds a connection that was just accepted. */
  addConnection(socket: Socket): void {
    this.#newConnections.set(socket, { atNs: this.#clock.now(), idleMs: performance.nodeTiming.idleTime });
  }

  /**
   * Returns the arrival time of the request that is being read. Clients connect in order to send: if the
   * event loop has not been idle since it accepted the connection, the first request is assumed to have
   * arrived with the connection.
   */
  takeArrivalNs(socket: Socket): number {
    const atNs = this.#clock.now();
    const connection = this.#newConnections.get(socket);
    if (!connection) return atNs;
    this.#newConnections.delete(socket);
    return this.#clock.hasWaitedSince(connection.idleMs) ? atNs : connection.atNs;
  }
}
