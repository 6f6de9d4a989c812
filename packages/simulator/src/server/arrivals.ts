import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';

/** When what comes over a server's sockets had arrived, ns of the monotonic clock. */
export class Arrivals {
  readonly #clock = new ArrivalClock(() => performance.now() * 1e6, performance.nodeTiming, setImmediate);
  /** Connections without a request so far: when they came, and for how long the loop had waited in all by then, ms. */
  readonly #fresh = new WeakMap<Socket, { readonly atNs: number; readonly waitedMs: number }>();

  /** Told when work begins that is no reading. */
  beginWork(): void {
    this.#clock.beginWork();
  }

  /** A connection is accepted. */
  connected(socket: Socket): void {
    this.#fresh.set(socket, { atNs: this.#clock.now(), waitedMs: performance.nodeTiming.idleTime });
  }

  /**
   * When the request that is being read had arrived. Clients connect in order to send: where the loop has been at work since it
   * accepted a connection, the first request is taken to have lain there from then on.
   */
  requested(socket: Socket): number {
    const atNs = this.#clock.now();
    const connection = this.#fresh.get(socket);
    if (!connection) return atNs;
    this.#fresh.delete(socket);
    return this.#clock.hasWaitedSince(connection.waitedMs) ? atNs : connection.atNs;
  }
}
