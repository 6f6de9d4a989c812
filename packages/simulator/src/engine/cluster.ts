import type { Traffic } from '../traffic.ts';
import type { Engine } from './engine.ts';
import type { Request, RequestSpec, RequestWatcher } from './request.ts';

/**
 * Several engines behind one front end, and the traffic that reaches them. A request goes to the engine with
 * the least to do, a waiting request weighing four times a running one (as vLLM's data-parallel front end has it).
 */
export class Cluster {
  readonly engines: readonly Engine[];
  readonly #traffic: Traffic | undefined;
  /** Clients that will hang up, the first to do so in front. */
  readonly #leaving: { readonly atNs: number; readonly request: Request }[] = [];
  #turn = 0;

  constructor(engines: readonly Engine[], traffic?: Traffic) {
    if (engines.length === 0) throw new RangeError('a cluster of 0 engines; at least 1 is accepted');
    this.engines = engines;
    this.#traffic = traffic;
  }

  get now(): number {
    return this.engines[0]!.now;
  }

  /** When something will happen next; Infinity when nothing will without a new request. */
  get nextEventNs(): number {
    let next = this.#nextOutsideNs();
    for (const engine of this.engines) next = Math.min(next, engine.nextEventNs);
    return next;
  }

  /** Lets a request arrive now, at the least busy engine. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    return this.#leastBusy().submit(spec, watcher);
  }

  abort(request: Request): void {
    this.engines[request.engine]!.abort(request);
  }

  /** Moves time forward to `ns`. */
  advanceTo(ns: number): void {
    for (let next = this.#nextOutsideNs(); next <= ns; next = this.#nextOutsideNs()) {
      for (const engine of this.engines) engine.advanceTo(next);
      this.#arriveOrLeave(next);
    }
    for (const engine of this.engines) engine.advanceTo(ns);
  }

  #nextOutsideNs(): number {
    return Math.min(
      this.#traffic?.nextNs ?? Number.POSITIVE_INFINITY,
      this.#leaving[0]?.atNs ?? Number.POSITIVE_INFINITY,
    );
  }

  #arriveOrLeave(ns: number): void {
    if (this.#leaving.length > 0 && this.#leaving[0]!.atNs <= ns) {
      this.abort(this.#leaving.shift()!.request);
      return;
    }
    const { spec, patienceNs } = this.#traffic!.take();
    const request = this.submit(spec);
    if (patienceNs === Number.POSITIVE_INFINITY) return;
    this.#leaving.push({ atNs: ns + patienceNs, request });
    this.#leaving.sort((a, b) => a.atNs - b.atNs);
  }

  #leastBusy(): Engine {
    // Equally busy engines take turns.
    let best: Engine | undefined;
    let least = Number.POSITIVE_INFINITY;
    this.#turn += 1;
    for (let i = 0; i < this.engines.length; i++) {
      const engine = this.engines[(i + this.#turn) % this.engines.length]!;
      const work = 4 * engine.waiting + engine.running;
      if (work < least) [best, least] = [engine, work];
    }
    return best!;
  }
}
