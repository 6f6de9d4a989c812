import { Random } from '@org/core';
import type { BlockPool } from './blockPool.ts';
import { type EngineObserver, ObserverList } from './observer.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions, validateEngineOptions } from './options.ts';
import {
  countUncomputedTokens,
  createRequest,
  type Request,
  type RequestSpec,
  type RequestWatcher,
  validateRequestSpec,
} from './request.ts';
import { removeItem, Scheduler } from './scheduler.ts';
import { createStep, resetStep, type Step } from './step.ts';
import { computeStepDuration } from './stepCosts.ts';

/** Median time that the frontend takes per request (parsing, tokenization), ns. */
const INTAKE_MEDIAN_NS = 4e5;
/** Median time until an idle engine starts a step, ns. */
const WAKE_MEDIAN_NS = 5e4;

/**
 * Continuous batching in simulated time: requests pass a frontend and a waiting queue, and are computed in steps of a running
 * batch. Time only moves in {@link advanceTo}. Times are whole ns since the start of the simulation.
 */
export class Engine {
  readonly options: EngineOptions;
  readonly #random: Random;
  readonly #observers = new ObserverList();
  readonly #scheduler: Scheduler;
  /** Requests in the frontend. */
  readonly #intake: Request[] = [];
  #now: number;
  #nextId = 0;
  /** Start of the next step if an idle engine is about to wake up. */
  #wakeAt = Number.POSITIVE_INFINITY;
  /** End of the current step. */
  #stepEnd = Number.POSITIVE_INFINITY;
  readonly #step: Step = createStep();
  #occupancyNs = 0;
  #inSystem = 0;

  /** Missing options have their defaults. Throws RangeError for inconsistent options. */
  constructor(options: Partial<EngineOptions> = {}) {
    this.options = validateEngineOptions({ ...DEFAULT_ENGINE_OPTIONS, ...options });
    this.#now = this.options.startNs;
    this.#scheduler = new Scheduler(this.options, this.#observers);
    this.#random = new Random(this.options.seed).fork(`engine ${this.options.index}`);
  }

  /** Reports all later events to an observer. */
  observe(observer: EngineObserver): void {
    this.#observers.add(observer);
  }

  get now(): number {
    return this.#now;
  }

  /** The key-value cache. */
  get pool(): BlockPool {
    return this.#scheduler.pool;
  }

  /** Number of requests in the batch. */
  get running(): number {
    return this.#scheduler.running.length;
  }

  /** Number of requests that have arrived and are not in the batch: in the queue or still in the frontend. */
  get waiting(): number {
    return this.#scheduler.waiting + this.#intake.length;
  }

  /** Number of requests that have arrived since the start. */
  get submitted(): number {
    return this.#nextId;
  }

  /** Used share of the key-value cache, from 0 to 1. */
  get kvUsage(): number {
    return this.pool.used / this.pool.total;
  }

  /** Context tokens of all running requests. */
  get contextTokens(): number {
    let tokens = 0;
    for (const request of this.#scheduler.running) tokens += request.computed;
    return tokens;
  }

  /** Time integral of the number of requests in the system, in request-ns (L times T in Little's law). */
  get occupancyNs(): number {
    return this.#occupancyNs;
  }

  /** Time of the next event; Infinity if nothing happens without a new request. */
  get nextEventNs(): number {
    return Math.min(this.#intake[0]?.queuedNs ?? Number.POSITIVE_INFINITY, this.#wakeAt, this.#stepEnd);
  }

  /** Submits a request now. Throws RangeError if it can never be served. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    validateRequestSpec(spec, this.options.maxModelLen);
    const request = createRequest(this.#nextId++, this.options.index, spec, this.#now, watcher);
    const previous = this.#intake.at(-1)?.queuedNs ?? this.#now;
    const delay = Math.max(1, Math.round(this.#random.lognormal(INTAKE_MEDIAN_NS, 0.5) / this.options.speed));
    request.queuedNs = Math.max(previous, this.#now + delay);
    this.#intake.push(request);
    this.#inSystem += 1;
    this.#observers.onArrival(request);
    return request;
  }

  /**
   * Aborts a request whose client disconnected. A running request leaves the batch at the end of the current step; a request
   * that has ended or is unknown is ignored.
   */
  abort(request: Request): void {
    if (this.#scheduler.running.includes(request)) {
      request.isAborting = true;
      return;
    }
    if (!removeItem(this.#intake, request) && !this.#scheduler.removeWaiting(request)) return;
    request.queuedNs = Math.min(request.queuedNs, this.#now);
    this.#finish(request, 'abort');
  }

  /** Advances to a time and processes all events until then. Throws RangeError if the time is in the past. */
  advanceTo(ns: number): void {
    if (!(ns >= this.#now)) throw new RangeError(`cannot go back from ${this.#now} ns to ${ns} ns`);
    for (let next = this.nextEventNs; next <= ns; next = this.nextEventNs) {
      this.#moveTo(next);
      this.#processEvents();
    }
    this.#moveTo(ns);
  }

  #moveTo(ns: number): void {
    this.#occupancyNs += this.#inSystem * (ns - this.#now);
    this.#now = ns;
  }

  #processEvents(): void {
    while (this.#intake.length > 0 && this.#intake[0]!.queuedNs <= this.#now) {
      this.#scheduler.enqueue(this.#intake.shift()!);
    }
    if (this.#stepEnd <= this.#now) {
      this.#endStep();
      this.#startStep();
    } else if (this.#wakeAt <= this.#now) {
      this.#startStep();
    } else if (this.#stepEnd === Number.POSITIVE_INFINITY && this.#wakeAt === Number.POSITIVE_INFINITY) {
      this.#wakeAt = this.#now + Math.max(1, Math.round(this.#random.lognormal(WAKE_MEDIAN_NS, 0.6)));
    }
  }

  #startStep(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#stepEnd = Number.POSITIVE_INFINITY;
    if (this.running === 0 && this.#scheduler.waiting === 0) return;
    const step = resetStep(this.#step, this.#now);
    this.#scheduler.schedule(step, this.#now);
    const work = {
      prefillTokens: step.prefillTokens,
      sequences: step.decodeRequests,
      contextTokens: step.contextTokens,
    };
    step.endNs = this.#now + computeStepDuration(work, this.options.costs, this.options.speed, this.#random);
    this.#stepEnd = step.endNs;
  }

  #endStep(): void {
    for (const request of this.#scheduler.running) this.#computeTokens(request);
    this.#scheduler.removeFinished();
    this.#observers.onStep(this.#step);
    this.#step.index += 1;
  }

  #computeTokens(request: Request): void {
    if (request.isAborting) {
      this.#finish(request, 'abort');
      return;
    }
    if (request.stepTokens === 0) return;
    request.computed += request.stepTokens;
    if (countUncomputedTokens(request) > 0) return;
    if (this.options.prefixCaching) this.pool.publishPrefix(request);
    if (request.spec.outputTokens > 0) this.#emitToken(request);
    if (request.generated >= request.spec.outputTokens) this.#finish(request, request.spec.finishReason);
  }

  #emitToken(request: Request): void {
    const isFirst = request.generated === 0;
    const gapNs = this.#now - (isFirst ? request.arrivalNs : request.lastTokenNs);
    if (isFirst) request.firstTokenNs = this.#now;
    request.lastTokenNs = this.#now;
    request.generated += 1;
    this.#step.generatedTokens += 1;
    this.#observers.onToken(request, gapNs);
    request.watcher?.onToken?.(request.generated - 1, this.#now);
  }

  #finish(request: Request, reason: 'stop' | 'length' | 'abort'): void {
    this.pool.release(request);
    request.finishReason = reason;
    request.finishNs = this.#now;
    this.#inSystem -= 1;
    this.#step.finished += 1;
    this.#observers.onFinished(request);
    request.watcher?.onFinished?.(request);
  }
}
