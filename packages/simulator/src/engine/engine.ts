import { Random } from '@org/core';
import { BlockPool } from './blockPool.ts';
import type { EngineObserver } from './observer.ts';
import { defaultEngineOptions, type EngineOptions, validateEngineOptions } from './options.ts';
import {
  createRequest,
  type Request,
  type RequestSpec,
  type RequestWatcher,
  validateRequestSpec,
} from './request.ts';
import { createStep, resetStep, type Step } from './step.ts';
import { computeStepDuration } from './stepCosts.ts';

/** Creates an engine; missing options have their defaults. Throws RangeError for inconsistent options. */
export function createEngine(options: Partial<EngineOptions> = {}): Engine {
  return new Engine({ ...defaultEngineOptions, ...options });
}

/** Median time that the front end takes per request (parsing, tokenization), ns. */
const INTAKE_MEDIAN_NS = 4e5;
/** Median time until an idle engine starts a step, ns. */
const WAKE_MEDIAN_NS = 5e4;

/**
 * Continuous batching in simulated time: arrivals, a waiting queue, a running batch, a paged key-value cache.
 *
 * Follows the scheduler of vLLM V1. Each step first schedules the running requests in order; if the cache is
 * full, the most recently admitted request is preempted: it returns to the head of the queue and its tokens
 * are recomputed later. Then waiting requests are admitted while the batch, the cache and the token budget of
 * the step allow it.
 *
 * Time only moves in {@link advanceTo}. Times are whole ns since the start of the simulation.
 */
export class Engine {
  readonly options: EngineOptions;
  readonly pool: BlockPool;
  readonly #random: Random;
  readonly #observers: EngineObserver[] = [];
  readonly #intake: Request[] = [];
  #waiting: Request[] = [];
  #running: Request[] = [];
  #now: number;
  #nextId = 0;
  /** Start of the next step if an idle engine is about to wake up. */
  #wakeAt = Number.POSITIVE_INFINITY;
  /** End of the current step. */
  #stepEnd = Number.POSITIVE_INFINITY;
  readonly #step: Step = createStep();
  #occupancyNs = 0;
  #inSystem = 0;

  constructor(options: EngineOptions) {
    this.options = validateEngineOptions(options);
    this.#now = options.startNs;
    this.pool = new BlockPool(options.kvBlocks, options.blockSize);
    this.#random = new Random(options.seed).fork(`engine ${options.index}`);
  }

  /** Reports all later events to an observer. */
  observe(observer: EngineObserver): void {
    this.#observers.push(observer);
  }

  get now(): number {
    return this.#now;
  }

  /** Number of requests in the batch. */
  get running(): number {
    return this.#running.length;
  }

  /**
   * Number of requests that have arrived and are not in the batch: in the queue or still in the front end.
   */
  get waiting(): number {
    return this.#waiting.length + this.#intake.length;
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
    for (const request of this.#running) tokens += request.computed;
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
    for (const observer of this.#observers) observer.arrived?.(request);
    return request;
  }

  /**
   * Aborts a request whose client disconnected. A running request leaves the batch at the end of the current
   * step; a request that has ended or is unknown is ignored.
   */
  abort(request: Request): void {
    if (this.#running.includes(request)) {
      request.aborting = true;
      return;
    }
    for (const queue of [this.#intake, this.#waiting]) {
      const at = queue.indexOf(request);
      if (at < 0) continue;
      queue.splice(at, 1);
      request.queuedNs = Math.min(request.queuedNs, this.#now);
      this.#finish(request, 'abort');
      return;
    }
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
      this.#waiting.push(this.#intake.shift()!);
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
    if (this.#running.length === 0 && this.#waiting.length === 0) return;
    const step = resetStep(this.#step, this.#now);
    const budget = this.#scheduleRunning(step, this.options.maxBatchedTokens);
    // After a preemption no request is admitted: it would be preempted at once.
    if (step.preempted === 0) this.#scheduleWaiting(step, budget);
    const work = {
      prefillTokens: step.prefillTokens,
      sequences: step.decodeRequests,
      contextTokens: step.contextTokens,
    };
    step.endNs = this.#now + computeStepDuration(work, this.options.costs, this.options.speed, this.#random);
    this.#stepEnd = step.endNs;
  }

  /** Assigns tokens to the running requests, and returns the rest of the token budget. */
  #scheduleRunning(step: Step, budget: number): number {
    let left = budget;
    for (let i = 0; i < this.#running.length; i++) {
      const request = this.#running[i]!;
      const tokens = Math.min(countUncomputedTokens(request), left);
      request.stepTokens = 0;
      if (tokens === 0 || !this.#makeRoom(request, tokens, step)) continue;
      left -= tokens;
      assignTokens(request, tokens, step);
    }
    return left;
  }

  /**
   * Preempts requests from the end of the batch until the request fits. Returns false if the request itself
   * was preempted.
   */
  #makeRoom(request: Request, tokens: number, step: Step): boolean {
    while (!this.pool.grow(request, request.computed + tokens)) {
      const victim = this.#running.pop()!;
      this.pool.release(victim);
      victim.computed = 0;
      victim.stepTokens = 0;
      victim.preemptions += 1;
      this.#waiting.unshift(victim);
      step.preempted += 1;
      for (const observer of this.#observers) observer.preempted?.(victim);
      if (victim === request) return false;
    }
    return true;
  }

  #scheduleWaiting(step: Step, budget: number): void {
    let left = budget;
    while (this.#waiting.length > 0 && this.#running.length < this.options.maxRunning && left > 0) {
      const request = this.#waiting[0]!;
      const cached = this.options.prefixCaching ? this.pool.acquirePrefix(request) : 0;
      const tokens = Math.min(request.spec.promptTokens + request.generated - cached, left);
      if (!this.pool.grow(request, cached + tokens)) {
        this.pool.release(request);
        return;
      }
      this.#waiting.shift();
      this.#running.push(request);
      request.computed = cached;
      left -= tokens;
      this.#admit(request, cached, step);
      assignTokens(request, tokens, step);
    }
  }

  #admit(request: Request, cached: number, step: Step): void {
    if (!Number.isNaN(request.scheduledNs)) return;
    request.scheduledNs = this.#now;
    request.cachedTokens = cached;
    step.admitted += 1;
    for (const observer of this.#observers) observer.scheduled?.(request);
  }

  #endStep(): void {
    const batch = this.#running;
    for (const request of batch) this.#computeTokens(request);
    this.#running = batch.filter(request => request.finishReason === undefined);
    for (const observer of this.#observers) observer.step?.(this.#step);
    this.#step.index += 1;
  }

  #computeTokens(request: Request): void {
    if (request.aborting) {
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
    const first = request.generated === 0;
    const gap = this.#now - (first ? request.arrivalNs : request.lastTokenNs);
    if (first) request.firstTokenNs = this.#now;
    request.lastTokenNs = this.#now;
    request.generated += 1;
    this.#step.generatedTokens += 1;
    for (const observer of this.#observers) observer.token?.(request, gap);
    request.watcher?.token?.(request.generated - 1, this.#now);
  }

  #finish(request: Request, reason: 'stop' | 'length' | 'abort'): void {
    this.pool.release(request);
    request.finishReason = reason;
    request.finishNs = this.#now;
    this.#inSystem -= 1;
    this.#step.finished += 1;
    for (const observer of this.#observers) observer.finished?.(request);
    request.watcher?.finished?.(request);
  }
}

/** Returns the number of tokens that are known but not yet in the cache; 1 for a request that generates. */
function countUncomputedTokens(request: Request): number {
  return request.spec.promptTokens + request.generated - request.computed;
}

function assignTokens(request: Request, tokens: number, step: Step): void {
  request.stepTokens = tokens;
  step.contextTokens += request.computed + tokens;
  const decoding = request.generated > 0 && tokens === 1 && countUncomputedTokens(request) === 1;
  if (decoding) {
    step.decodeRequests += 1;
  } else {
    step.prefillRequests += 1;
    step.prefillTokens += tokens;
  }
}
