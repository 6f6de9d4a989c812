import { formatDuration } from '@org/core';
import type { Target, TargetSource } from '@org/scrape';
import { ChangeLatch } from './changeLatch.ts';
import { SourceError } from './sourceError.ts';
import { TargetFeed, withOwnSignal } from './targetFeed.ts';

/** Handling of sources without endpoints at the start. */
export interface FirstListPolicy {
  /** Time to wait for the first endpoint, in milliseconds. */
  readonly waitMs: number;
  /** True to start without endpoints. */
  readonly isOptional: boolean;
  /** Targets that are scraped until the source has endpoints. */
  readonly fallback: readonly Target[];
  /** True if a failure of the first list is only reported, and the fallback is scraped. */
  readonly isTolerant: boolean;
  /** True if the user has not asked for the source, so that an empty first list is not reported. */
  readonly isImplicit?: boolean;
}

/** A source that waits for its first endpoints, and has a fallback until they exist. */
export class FirstListSource implements TargetSource {
  readonly name: string;
  readonly #source: TargetSource;
  readonly #policy: FirstListPolicy;

  constructor(source: TargetSource, policy: FirstListPolicy) {
    this.name = source.name;
    this.#source = source;
    this.#policy = policy;
  }

  watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncIterable<readonly Target[]> {
    return withOwnSignal(signal, own => this.#watch(own, onProblem));
  }

  async *#watch(
    signal: AbortSignal,
    onProblem: (message: string) => void,
  ): AsyncGenerator<readonly Target[]> {
    const latch = new ChangeLatch();
    const feed = new TargetFeed(this.#source, { signal, onProblem, latch });
    const first = await this.#readFirst(feed, latch, signal, onProblem);
    if (signal.aborted) return;
    yield first.length > 0 ? first : this.#policy.fallback;
    for (let hasFound = first.length > 0; ; ) {
      await latch.wait(signal);
      if (signal.aborted) return;
      const next = this.#readLatest(feed, onProblem);
      hasFound ||= next.length > 0;
      if (hasFound) yield next;
    }
  }

  /** Waits until the source has endpoints or the time has elapsed. Returns the last list. */
  async #readFirst(
    feed: TargetFeed,
    latch: ChangeLatch,
    signal: AbortSignal,
    onProblem: (message: string) => void,
  ): Promise<readonly Target[]> {
    const { waitMs, isTolerant } = this.#policy;
    const deadlineMs = performance.now() + waitMs;
    try {
      for (;;) {
        const { latest } = feed;
        const remainingMs = deadlineMs - performance.now();
        if (signal.aborted || (latest?.length ?? 0) > 0) return latest ?? [];
        if (latest && remainingMs <= 0) return this.#acceptEmpty(onProblem);
        await latch.wait(signal, latest ? remainingMs : undefined);
      }
    } catch (error) {
      if (!isTolerant || !(error instanceof SourceError)) throw error;
      onProblem(`${error.message}; ${this.#describeFallback()}`);
      return [];
    }
  }

  /** Reads the last list. The failure of a tolerated source was reported before. */
  #readLatest(feed: TargetFeed, onProblem: (message: string) => void): readonly Target[] {
    try {
      return feed.latest ?? [];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      onProblem(error.message);
      return [];
    }
  }

  #acceptEmpty(onProblem: (message: string) => void): readonly Target[] {
    const { waitMs, isOptional, isImplicit = false, fallback } = this.#policy;
    const duration = waitMs > 0 ? ` within ${formatDuration(waitMs / 1000)}` : '';
    const problem = `found no endpoints${duration}`;
    if (!isOptional && fallback.length === 0)
      throw new SourceError(
        `${problem}; check the settings of the source, wait longer with --discovery-wait, or start without endpoints with --discovery-optional`,
      );
    if (!isImplicit) onProblem(`${problem}; ${this.#describeFallback()}`);
    return [];
  }

  #describeFallback(): string {
    const urls = this.#policy.fallback.map(({ url }) => url);
    return urls.length === 0
      ? 'the run starts without them'
      : `scraping ${urls.join(', ')} until they are found`;
  }
}
