import type { Socket } from 'node:net';
import type { Request, RequestSpec, RequestWatcher } from '../engine/request.ts';
import type { Simulation } from '../simulation.ts';
import { Arrivals } from './arrivals.ts';

/** Lets a simulation run in real time: what happens in it, happens when a clock on the wall says so. */
export class Live {
  readonly simulation: Simulation;
  #originMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  readonly arrivals: Arrivals = new Arrivals();

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Real time, ns since the simulation's start: where the simulation would be if it had caught up. */
  get presentNs(): number {
    return Math.round((performance.now() - this.#originMs) * 1e6);
  }

  /** When the request that is being read had arrived, in the time of {@link presentNs}. */
  arrivedNs(socket: Socket): number {
    return Math.round(this.arrivals.requested(socket) - this.#originMs * 1e6);
  }

  /** Starts the clock. */
  start(): void {
    const { simulation } = this;
    simulation.placeAt(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1000n);
    this.#originMs = performance.now() - simulation.nowNs / 1e6;
    this.#running = true;
    this.#sleep();
  }

  /** Stops the clock; the simulation stays where it is. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Brings the simulation to the present. */
  catchUp(): void {
    if (!this.#running) return;
    const now = this.presentNs;
    if (now > this.simulation.nowNs) this.simulation.advanceTo(now);
    this.#sleep();
  }

  /** Lets a request arrive at the present. Throws when it can never be served. */
  submit(spec: RequestSpec, watcher: RequestWatcher): Request {
    this.catchUp();
    const request = this.simulation.submit(spec, watcher);
    this.#sleep();
    return request;
  }

  abort(request: Request): void {
    this.catchUp();
    this.simulation.abort(request);
    this.#sleep();
  }

  /** Kills the server and starts it again, at the present. */
  restart(): void {
    this.catchUp();
    this.simulation.restart();
    this.#sleep();
  }

  readonly #wake = (): void => {
    this.arrivals.beginWork();
    this.catchUp();
  };

  #sleep(): void {
    clearTimeout(this.#timer);
    const next = this.simulation.nextEventNs;
    if (!this.#running || next === Number.POSITIVE_INFINITY) return;
    const delayMs = this.#originMs + next / 1e6 - performance.now();
    // A timer can be no longer than 2^31 ms, and what it wakes for may lie further away.
    this.#timer = setTimeout(this.#wake, Math.min(Math.max(0, delayMs), 2 ** 30));
  }
}
