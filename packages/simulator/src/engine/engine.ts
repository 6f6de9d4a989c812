import { Random } from '../random.ts';
import { BlockPool } from './blocks.ts';
import { stepDuration } from './costs.ts';
import type { EngineObserver } from './observer.ts';
import { checkedOptions, defaultEngineOptions, type EngineOptions } from './options.ts';
import { checkSpec, newRequest, type Request, type RequestSpec, type RequestWatcher } from './request.ts';
import { beginStep, newStep, type Step } from './step.ts';

/** Makes one engine. What is left out has its default; throws for options that do not fit together. */
export function createEngine(options: Partial<EngineOptions> = {}): Engine {
  return new Engine({ ...defaultEngineOptions, ...options });
}

/** Time the front end needs per request (parsing, tokenization), and the idle engine to wake up: median ns. */
const intakeNs = 4e5;
const wakeNs = 5e4;

/**
 * Continuous batching in simulated time: arrivals, a waiting queue, a running batch, a paged key-value cache.
 *
 * It follows the scheduler of vLLM V1: each step first serves the running requests in order, and when the
 * cache is full sends the youngest back to the head of the queue, its tokens to be computed again; then it
 * admits waiting requests while there is room in the batch, the cache and the step's token budget.
 *
 * Nothing happens by itself: {@link advanceTo} moves time. Times are whole ns since the simulation's start.
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
  /** Start of the step to come, when the engine is about to wake up; end of the step under way. */
  #wakeAt = Number.POSITIVE_INFINITY;
  #stepEnd = Number.POSITIVE_INFINITY;
  readonly #step: Step = newStep();
  #occupancyNs = 0;
  #inSystem = 0;

  constructor(options: EngineOptions) {
    this.options = checkedOptions(options);
    this.#now = options.startNs;
    this.pool = new BlockPool(options.kvBlocks, options.blockSize);
    this.#random = new Random(options.seed).fork(`engine ${options.index}`);
  }

  /** Tells the observer of all that happens from now on. */
  observe(observer: EngineObserver): void {
    this.#observers.push(observer);
  }

  get now(): number {
    return this.#now;
  }

  /** Requests in the batch. */
  get running(): number {
    return this.#running.length;
  }

  /** Requests that have arrived and are not in the batch: those in the queue and those that the front end still holds. */
  get waiting(): number {
    return this.#waiting.length + this.#intake.length;
  }

  /** Requests that have arrived since the start. */
  get submitted(): number {
    return this.#nextId;
  }

  /** Used share of the key-value cache, 0 to 1. */
  get kvUsage(): number {
    return this.pool.used / this.pool.total;
  }

  /** Tokens of context that the running requests hold. */
  get contextTokens(): number {
    let tokens = 0;
    for (const request of this.#running) tokens += request.computed;
    return tokens;
  }

  /** Integral over time of the number of requests in the system, in request-ns (the L of Little's law, times T). */
  get occupancyNs(): number {
    return this.#occupancyNs;
  }

  /** When something will happen next; Infinity when nothing will without a new request. */
  get nextEventNs(): number {
    return Math.min(this.#intake[0]?.queuedNs ?? Number.POSITIVE_INFINITY, this.#wakeAt, this.#stepEnd);
  }

  /** Lets a request arrive now. Throws when it can never be served. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    checkSpec(spec, this.options.maxModelLen);
    const request = newRequest(this.#nextId++, this.options.index, spec, this.#now, watcher);
    const previous = this.#intake.at(-1)?.queuedNs ?? this.#now;
    const delay = Math.max(1, Math.round(this.#random.lognormal(intakeNs, 0.5) / this.options.speed));
    request.queuedNs = Math.max(previous, this.#now + delay);
    this.#intake.push(request);
    this.#inSystem += 1;
    for (const observer of this.#observers) observer.arrived?.(request);
    return request;
  }

  /** The client is gone. A running request leaves when the step under way ends; one that is not here is left alone. */
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

  /** Moves time forward, and with it everything that happens until then. Throws when asked to go back. */
  advanceTo(ns: number): void {
    if (!(ns >= this.#now)) throw new RangeError(`cannot go back from ${this.#now} ns to ${ns} ns`);
    for (let next = this.nextEventNs; next <= ns; next = this.nextEventNs) {
      this.#moveTo(next);
      this.#happen();
    }
    this.#moveTo(ns);
  }

  #moveTo(ns: number): void {
    this.#occupancyNs += this.#inSystem * (ns - this.#now);
    this.#now = ns;
  }

  #happen(): void {
    while (this.#intake.length > 0 && this.#intake[0]!.queuedNs <= this.#now) {
      this.#waiting.push(this.#intake.shift()!);
    }
    if (this.#stepEnd <= this.#now) {
      this.#endStep();
      this.#startStep();
    } else if (this.#wakeAt <= this.#now) {
      this.#startStep();
    } else if (this.#stepEnd === Number.POSITIVE_INFINITY && this.#wakeAt === Number.POSITIVE_INFINITY) {
      this.#wakeAt = this.#now + Math.max(1, Math.round(this.#random.lognormal(wakeNs, 0.6)));
    }
  }

  #startStep(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    this.#stepEnd = Number.POSITIVE_INFINITY;
    if (this.#running.length === 0 && this.#waiting.length === 0) return;
    const step = beginStep(this.#step, this.#now);
    const budget = this.#scheduleRunning(step, this.options.maxBatchedTokens);
    // A step that had to make room admits nobody: the next request would be preempted at once.
    if (step.preempted === 0) this.#scheduleWaiting(step, budget);
    const work = {
      prefillTokens: step.prefillTokens,
      sequences: step.decodeRequests,
      contextTokens: step.contextTokens,
    };
    step.endNs = this.#now + stepDuration(work, this.options.costs, this.options.speed, this.#random);
    this.#stepEnd = step.endNs;
  }

  /** Gives the running requests their tokens, and returns what is left of the budget. */
  #scheduleRunning(step: Step, budget: number): number {
    let left = budget;
    for (let i = 0; i < this.#running.length; i++) {
      const request = this.#running[i]!;
      const tokens = Math.min(toCompute(request), left);
      request.stepTokens = 0;
      if (tokens === 0 || !this.#makeRoom(request, tokens, step)) continue;
      left -= tokens;
      assign(request, tokens, step);
    }
    return left;
  }

  /** Preempts from the end of the batch until the request fits; false when it was itself the victim. */
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
      const cached = this.options.prefixCaching ? this.pool.hit(request) : 0;
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
      assign(request, tokens, step);
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
    if (toCompute(request) > 0) return;
    if (this.options.prefixCaching) this.pool.publish(request);
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

/** Tokens that are known and not yet in the cache; 1 for a request that generates. */
function toCompute(request: Request): number {
  return request.spec.promptTokens + request.generated - request.computed;
}

function assign(request: Request, tokens: number, step: Step): void {
  request.stepTokens = tokens;
  step.contextTokens += request.computed + tokens;
  const decoding = request.generated > 0 && tokens === 1 && toCompute(request) === 1;
  if (decoding) {
    step.decodeRequests += 1;
  } else {
    step.prefillRequests += 1;
    step.prefillTokens += tokens;
  }
}
