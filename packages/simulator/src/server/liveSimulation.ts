import { performance } from 'node:perf_hooks';
import { ArrivalClock } from '@org/core';
import type { Request, RequestSpec, RequestWatcher } from '../engine/request.ts';
import type { Simulation } from '../simulation.ts';

/** Runs a simulation in real time, following the monotonic clock. */
export class LiveSimulation {
  readonly simulation: Simulation;
  #originMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  readonly #arrivals = new ArrivalClock(() => performance.now() * 1e6, performance.nodeTiming, setImmediate);

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** Real time since the start of the simulation, in ns. The simulation itself may lag behind. */
  get realTimeNs(): number {
    return Math.round((performance.now() - this.#originMs) * 1e6);
  }

  /** Returns the arrival time of the request that is being read, in ns since the start of the simulation. */
  readArrivalNs(): number {
    return Math.round(this.#arrivals.readPollNs() - this.#originMs * 1e6);
  }

  /** Starts running in real time. */
  start(): void {
    const { simulation } = this;
    simulation.setWallTime(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1000n);
    this.#originMs = performance.now() - simulation.nowNs / 1e6;
    this.#running = true;
    this.#schedule();
  }

  /** Stops running in real time; the simulation keeps its state. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Advances the simulation to the current real time. */
  catchUp(): void {
    if (!this.#running) return;
    const nowNs = this.realTimeNs;
    if (nowNs > this.simulation.nowNs) this.simulation.advanceTo(nowNs);
    this.#schedule();
  }

  /** Submits a request now. Throws RangeError if the request can never be served. */
  submit(spec: RequestSpec, watcher: RequestWatcher): Request {
    this.catchUp();
    const request = this.simulation.submit(spec, watcher);
    this.#schedule();
    return request;
  }

  abort(request: Request): void {
    this.catchUp();
    this.simulation.abort(request);
    this.#schedule();
  }

  /** Simulates a restart of the server now. */
  restart(): void {
    this.catchUp();
    this.simulation.restart();
    this.#schedule();
  }

  readonly #wake = (): void => this.catchUp();

  #schedule(): void {
    clearTimeout(this.#timer);
    const nextNs = this.simulation.nextEventNs;
    if (!this.#running || nextNs === Number.POSITIVE_INFINITY) return;
    const delayMs = this.#originMs + nextNs / 1e6 - performance.now();
    // Node's timers are limited to 2^31 ms; the next event may be later.
    this.#timer = setTimeout(this.#wake, Math.min(Math.max(0, delayMs), 2 ** 30));
  }
}
