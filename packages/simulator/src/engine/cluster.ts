import type { Traffic } from '../traffic/traffic.ts';
import type { Engine } from './engine.ts';
import type { Request, RequestSpec, RequestWatcher } from './request.ts';

/**
 * Several engines behind one frontend, with background traffic. A request is routed to the engine with the
 * least load; a waiting request counts as four running requests, as in vLLM's data-parallel frontend.
 */
export class Cluster {
  readonly engines: readonly Engine[];
  readonly #traffic: Traffic | undefined;
  /** Requests whose clients will disconnect, in chronological order. */
  readonly #pendingAborts: { readonly atNs: number; readonly request: Request }[] = [];
  #rotation = 0;

  constructor(engines: readonly Engine[], traffic?: Traffic) {
    if (engines.length === 0) throw new RangeError('the cluster has 0 engines; expected at least 1');
    this.engines = engines;
    this.#traffic = traffic;
  }

  /** Current time, in ns since the start of the simulation. */
  get now(): number {
    return this.engines[0]!.now;
  }

  /** Time of the next event, in ns; Infinity if no event is pending. */
  get nextEventNs(): number {
    let next = this.#findNextClientEventNs();
    for (const engine of this.engines) next = Math.min(next, engine.nextEventNs);
    return next;
  }

  /** Submits a request to the least busy engine now. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    return this.#findLeastBusy().submit(spec, watcher);
  }

  abort(request: Request): void {
    this.engines[request.engine]!.abort(request);
  }

  /** Advances to a time, in ns since the start of the simulation. */
  advanceTo(ns: number): void {
    for (let next = this.#findNextClientEventNs(); next <= ns; next = this.#findNextClientEventNs()) {
      for (const engine of this.engines) engine.advanceTo(next);
      this.#processClientEvent(next);
    }
    for (const engine of this.engines) engine.advanceTo(ns);
  }

  #findNextClientEventNs(): number {
    return Math.min(
      this.#traffic?.nextNs ?? Number.POSITIVE_INFINITY,
      this.#pendingAborts[0]?.atNs ?? Number.POSITIVE_INFINITY,
    );
  }

  #processClientEvent(ns: number): void {
    if (this.#pendingAborts.length > 0 && this.#pendingAborts[0]!.atNs <= ns) {
      this.abort(this.#pendingAborts.shift()!.request);
      return;
    }
    const { spec, abortAfterNs } = this.#traffic!.take();
    const request = this.submit(spec);
    if (abortAfterNs === Number.POSITIVE_INFINITY) return;
    this.#pendingAborts.push({ atNs: ns + abortAfterNs, request });
    this.#pendingAborts.sort((a, b) => a.atNs - b.atNs);
  }

  #findLeastBusy(): Engine {
    // Rotate the first engine to check, so that equally busy engines take turns.
    let best: Engine | undefined;
    let minWork = Number.POSITIVE_INFINITY;
    this.#rotation += 1;
    for (let i = 0; i < this.engines.length; i++) {
      const engine = this.engines[(i + this.#rotation) % this.engines.length]!;
      const work = 4 * engine.waiting + engine.running;
      if (work < minWork) [best, minWork] = [engine, work];
    }
    return best!;
  }
}
