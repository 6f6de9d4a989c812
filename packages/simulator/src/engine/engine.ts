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

/** Median processing time of a request in the frontend (parsing, tokenization), in ns. */
const INTAKE_MEDIAN_NS = 4e5;
/** Median time until an idle engine starts a step, in ns. */
const WAKE_MEDIAN_NS = 5e4;

/**
 * Continuous batching in simulated time: requests pass through a frontend and a waiting queue, and are computed
 * in the steps of a running batch. Time advances only in {@link advanceTo}. Times are whole ns since the start
 * of the simulation.
 */
export class Engine {
  readonly options: EngineOptions;
  readonly #random: Random;
  readonly #observers = new ObserverList();
  readonly #scheduler: Scheduler;
  /** Requests in the frontend. */
  readonly #intake: Request[] = [];
  #nowNs: number;
  #nextId = 0;
  /** Start of the next step, in ns; Infinity unless an idle engine is about to wake up. */
  #wakeNs = Number.POSITIVE_INFINITY;
  /** End of the current step, in ns; Infinity if the engine is idle. */
  #stepEndNs = Number.POSITIVE_INFINITY;
  readonly #step: Step = createStep();
  #occupancyNs = 0;
  #requestsInSystem = 0;

  /** Missing options use their defaults. Throws RangeError for invalid options. */
  constructor(options: Partial<EngineOptions> = {}) {
    this.options = validateEngineOptions({ ...DEFAULT_ENGINE_OPTIONS, ...options });
    this.#nowNs = this.options.startNs;
    this.#scheduler = new Scheduler(this.options, this.#observers, () => this.#nowNs);
    this.#random = new Random(this.options.seed).fork(`engine ${this.options.index}`);
  }

  /** Adds an observer, which receives all later events. */
  observe(observer: EngineObserver): void {
    this.#observers.add(observer);
  }

  /** Current time, in ns since the start of the simulation. */
  get now(): number {
    return this.#nowNs;
  }

  /** The key-value cache. */
  get pool(): BlockPool {
    return this.#scheduler.pool;
  }

  /** Number of requests in the batch. */
  get running(): number {
    return this.#scheduler.running.length;
  }

  /** Number of requests in the queue or still in the frontend. */
  get waiting(): number {
    return this.#scheduler.waiting + this.#intake.length;
  }

  /** Number of requests that have arrived since the start. */
  get submitted(): number {
    return this.#nextId;
  }

  /** Used fraction of the key-value cache, from 0 to 1. */
  get kvUsage(): number {
    return this.pool.used / this.pool.total;
  }

  /** Total number of context tokens of all running requests. */
  get contextTokens(): number {
    let tokens = 0;
    for (const request of this.#scheduler.running) tokens += request.computed;
    return tokens;
  }

  /** Time integral of the number of requests in the system, in request-nanoseconds. */
  get occupancyNs(): number {
    return this.#occupancyNs;
  }

  /** Time of the next event, in ns; Infinity if no event is pending. */
  get nextEventNs(): number {
    return Math.min(this.#intake[0]?.queuedNs ?? Number.POSITIVE_INFINITY, this.#wakeNs, this.#stepEndNs);
  }

  /** Submits a request now. Throws RangeError if the request can never be served. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    validateRequestSpec(spec, this.options.maxModelLen);
    const request = createRequest(this.#nextId++, this.options.index, spec, this.#nowNs, watcher);
    const previousNs = this.#intake.at(-1)?.queuedNs ?? this.#nowNs;
    const delayNs = Math.max(
      1,
      Math.round(this.#random.lognormal(INTAKE_MEDIAN_NS, 0.5) / this.options.speed),
    );
    request.queuedNs = Math.max(previousNs, this.#nowNs + delayNs);
    this.#intake.push(request);
    this.#requestsInSystem += 1;
    this.#observers.onArrival(request);
    return request;
  }

  /**
   * Aborts a request whose client disconnected. A running request leaves the batch at the end of the current
   * step; requests that have ended or are unknown are ignored.
   */
  abort(request: Request): void {
    if (this.#scheduler.running.includes(request)) {
      request.isAborting = true;
      return;
    }
    if (!removeItem(this.#intake, request) && !this.#scheduler.removeWaiting(request)) return;
    request.queuedNs = Math.min(request.queuedNs, this.#nowNs);
    this.#finish(request, 'abort');
  }

  /** Advances to a time, in ns, and processes all events up to then. Throws RangeError if the time is in the past. */
  advanceTo(ns: number): void {
    if (!(ns >= this.#nowNs)) throw new RangeError(`cannot go back from ${this.#nowNs} ns to ${ns} ns`);
    for (let next = this.nextEventNs; next <= ns; next = this.nextEventNs) {
      this.#moveTo(next);
      this.#processEvents();
    }
    this.#moveTo(ns);
  }

  #moveTo(ns: number): void {
    this.#occupancyNs += this.#requestsInSystem * (ns - this.#nowNs);
    this.#nowNs = ns;
  }

  #processEvents(): void {
    while (this.#intake.length > 0 && this.#intake[0]!.queuedNs <= this.#nowNs) {
      this.#scheduler.enqueue(this.#intake.shift()!);
    }
    if (this.#stepEndNs <= this.#nowNs) {
      this.#endStep();
      this.#startStep();
    } else if (this.#wakeNs <= this.#nowNs) {
      this.#startStep();
    } else if (this.#stepEndNs === Number.POSITIVE_INFINITY && this.#wakeNs === Number.POSITIVE_INFINITY) {
      this.#wakeNs = this.#nowNs + Math.max(1, Math.round(this.#random.lognormal(WAKE_MEDIAN_NS, 0.6)));
    }
  }

  #startStep(): void {
    this.#wakeNs = Number.POSITIVE_INFINITY;
    this.#stepEndNs = Number.POSITIVE_INFINITY;
    if (this.running === 0 && this.#scheduler.waiting === 0) return;
    const step = resetStep(this.#step, this.#nowNs);
    this.#scheduler.schedule(step, this.#nowNs);
    const work = {
      prefillTokens: step.prefillTokens,
      sequences: step.decodeRequests,
      contextTokens: step.contextTokens,
    };
    step.endNs =
      this.#nowNs + computeStepDuration(work, this.options.costs, this.options.speed, this.#random);
    this.#stepEndNs = step.endNs;
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
    const gapNs = this.#nowNs - (isFirst ? request.arrivalNs : request.lastTokenNs);
    if (isFirst) request.firstTokenNs = this.#nowNs;
    request.lastTokenNs = this.#nowNs;
    request.generated += 1;
    this.#step.generatedTokens += 1;
    this.#observers.onToken(request, gapNs);
    request.watcher?.onToken?.(request.generated - 1, this.#nowNs);
  }

  #finish(request: Request, reason: 'stop' | 'length' | 'abort'): void {
    this.pool.release(request);
    request.finishReason = reason;
    request.finishNs = this.#nowNs;
    this.#requestsInSystem -= 1;
    this.#step.finished += 1;
    this.#observers.onFinished(request);
    request.watcher?.onFinished?.(request);
  }
}
