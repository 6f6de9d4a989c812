import type { Socket } from 'node:net';
import type { Request, RequestSpec, RequestWatcher } from '../engine/request.ts';
import type { Simulation } from '../simulation.ts';
import { ArrivalTracker } from './arrivalTracker.ts';

/** Runs a simulation in real time: its events happen at their time on the monotonic clock. */
export class LiveSimulation {
  readonly simulation: Simulation;
  #originMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  readonly arrivals: ArrivalTracker = new ArrivalTracker();

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** Real time in ns since the start of the simulation; the simulation may lag behind. */
  get realTimeNs(): number {
    return Math.round((performance.now() - this.#originMs) * 1e6);
  }

  /** Returns the arrival time of the request that is being read, on the time scale of {@link realTimeNs}. */
  takeArrivalNs(socket: Socket): number {
    return Math.round(this.arrivals.takeArrivalNs(socket) - this.#originMs * 1e6);
  }

  /** Starts real time. */
  start(): void {
    const { simulation } = this;
    simulation.setWallTime(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e3)) * 1000n);
    this.#originMs = performance.now() - simulation.nowNs / 1e6;
    this.#running = true;
    this.#schedule();
  }

  /** Stops real time; the simulation keeps its state. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Advances the simulation to real time. */
  catchUp(): void {
    if (!this.#running) return;
    const now = this.realTimeNs;
    if (now > this.simulation.nowNs) this.simulation.advanceTo(now);
    this.#schedule();
  }

  /** Submits a request now. Throws RangeError if it can never be served. */
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

  /** Simulates a restart of the server, now. */
  restart(): void {
    this.catchUp();
    this.simulation.restart();
    this.#schedule();
  }

  readonly #wake = (): void => {
    this.arrivals.beginWork();
    this.catchUp();
  };

  #schedule(): void {
    clearTimeout(this.#timer);
    const next = this.simulation.nextEventNs;
    if (!this.#running || next === Number.POSITIVE_INFINITY) return;
    const delayMs = this.#originMs + next / 1e6 - performance.now();
    // A timer is limited to 2^31 ms; the next event may be later.
    this.#timer = setTimeout(this.#wake, Math.min(Math.max(0, delayMs), 2 ** 30));
  }
}
