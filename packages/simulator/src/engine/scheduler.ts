import { BlockPool } from './blockPool.ts';
import type { EngineObserver } from './observer.ts';
import type { EngineOptions } from './options.ts';
import { countUncomputedTokens, type Request } from './request.ts';
import type { Step } from './step.ts';

/**
 * Selects the requests of each step. It owns the waiting queue, the running batch and the key-value cache.
 *
 * Follows the scheduler of vLLM V1. Each step first schedules the running requests in order; if the cache is
 * full, the most recently admitted request is preempted: it returns to the head of the queue and its tokens are
 * recomputed later. Then waiting requests are admitted while the batch, the cache and the token budget of the
 * step allow it.
 */
export class Scheduler {
  readonly pool: BlockPool;
  readonly #options: EngineOptions;
  readonly #observer: Required<Pick<EngineObserver, 'onScheduled' | 'onPreempted'>>;
  readonly #waiting: Request[] = [];
  #running: Request[] = [];

  constructor(
    options: EngineOptions,
    observer: Required<Pick<EngineObserver, 'onScheduled' | 'onPreempted' | 'onEvicted'>>,
    getNowNs: () => number,
  ) {
    this.#options = options;
    this.#observer = observer;
    this.pool = new BlockPool(options.kvBlocks, options.blockSize, {
      getNowNs,
      onEvicted: residency => observer.onEvicted(residency),
    });
  }

  /** The requests of the batch, in the order of their admission. */
  get running(): readonly Request[] {
    return this.#running;
  }

  /** Number of requests in the queue. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds a request to the end of the queue. */
  enqueue(request: Request): void {
    this.#waiting.push(request);
  }

  /** Removes a request from the queue. Returns false if it is not in the queue. */
  removeWaiting(request: Request): boolean {
    return removeItem(this.#waiting, request);
  }

  /** Removes finished requests from the batch. */
  removeFinished(): void {
    this.#running = this.#running.filter(request => request.finishReason === undefined);
  }

  /** Assigns tokens to the requests of a step that starts at `nowNs`, and adds up the work of the step. */
  schedule(step: Step, nowNs: number): void {
    const budget = this.#scheduleRunning(step, this.#options.maxBatchedTokens);
    // Admit no request after a preemption: it would be preempted immediately.
    if (step.preempted === 0) this.#scheduleWaiting(step, budget, nowNs);
  }

  /** Assigns tokens to the running requests. Returns the remaining token budget. */
  #scheduleRunning(step: Step, budget: number): number {
    let remainingTokens = budget;
    // Preemptions remove requests from the end of the batch during the loop.
    for (let i = 0; i < this.#running.length; i++) {
      const request = this.#running[i]!;
      const tokens = Math.min(countUncomputedTokens(request), remainingTokens);
      request.stepTokens = 0;
      if (tokens === 0 || !this.#allocate(request, tokens, step)) continue;
      remainingTokens -= tokens;
      assignTokens(request, tokens, step);
    }
    return remainingTokens;
  }

  /**
   * Allocates cache blocks for more tokens of a running request, preempting requests from the end of the batch
   * until they fit. Returns false if the request itself was preempted.
   */
  #allocate(request: Request, tokens: number, step: Step): boolean {
    while (!this.pool.grow(request, request.computed + tokens)) {
      const victim = this.#running.pop()!;
      this.pool.release(victim);
      victim.computed = 0;
      victim.stepTokens = 0;
      victim.preemptions += 1;
      this.#waiting.unshift(victim);
      step.preempted += 1;
      this.#observer.onPreempted(victim);
      if (victim === request) return false;
    }
    return true;
  }

  #scheduleWaiting(step: Step, budget: number, nowNs: number): void {
    let remainingTokens = budget;
    while (
      this.#waiting.length > 0 &&
      this.#running.length < this.#options.maxRunning &&
      remainingTokens > 0
    ) {
      const request = this.#waiting[0]!;
      const cachedTokens = this.#options.prefixCaching ? this.pool.acquirePrefix(request) : 0;
      const tokens = Math.min(request.spec.promptTokens + request.generated - cachedTokens, remainingTokens);
      if (!this.pool.grow(request, cachedTokens + tokens)) {
        this.pool.release(request);
        return;
      }
      this.#waiting.shift();
      this.#running.push(request);
      request.computed = cachedTokens;
      remainingTokens -= tokens;
      if (Number.isNaN(request.scheduledNs)) this.#admit(request, cachedTokens, step, nowNs);
      assignTokens(request, tokens, step);
    }
  }

  /** Records the first admission of a request. */
  #admit(request: Request, cachedTokens: number, step: Step, nowNs: number): void {
    request.scheduledNs = nowNs;
    request.cachedTokens = cachedTokens;
    step.admitted += 1;
    this.#observer.onScheduled(request);
  }
}

function assignTokens(request: Request, tokens: number, step: Step): void {
  request.stepTokens = tokens;
  step.contextTokens += request.computed + tokens;
  const isDecoding = request.generated > 0 && tokens === 1 && countUncomputedTokens(request) === 1;
  if (isDecoding) {
    step.decodeRequests += 1;
  } else {
    step.prefillRequests += 1;
    step.prefillTokens += tokens;
  }
}

/** Removes an item from a list. Returns false if the list does not contain it. */
export function removeItem<T>(list: T[], item: T): boolean {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}
