import type { LivePlan } from '@org/live';
import type { RunEvent } from '@org/run';
import { type Batch, countPoints, type RunIdentity } from './metrics/batch.ts';
import { RunFeed } from './metrics/runFeed.ts';

/** Interval between reads of live values, in milliseconds. */
const INTERVAL_MS = 1000;

/** Maximum number of live values per second. A run with more values is read less often. */
export const MAX_VALUES_PER_SECOND = 5000;

/** Functions that an active run calls. */
export interface ActiveRunContext {
  /** Creates the identity of the run, when its ID is known. */
  readonly identify: (runId: string) => RunIdentity;
  /** Receives the values of the run. */
  readonly emit: (batch: Batch) => void;
  /** Ends all series of the run. */
  readonly endSeries: (run: RunIdentity, timeMs: number) => void;
  /** Receives an error, after which no live values are read. */
  readonly fail: (error: Error) => void;
}

/** Reads the values of an active run about once per second. */
export class ActiveRun {
  readonly #context: ActiveRunContext;
  readonly #feed: RunFeed;
  #timer: NodeJS.Timeout | undefined;
  /** Number of seconds until the next reading. */
  #pauseSeconds = 0;
  /** Time of the last batch, in milliseconds since 1970. */
  #lastMs = 0;
  /** The identity of the run, if it is known. */
  identity: RunIdentity | undefined;

  constructor(plan: LivePlan, context: ActiveRunContext) {
    this.#feed = new RunFeed(plan);
    this.#context = context;
  }

  /** Follows an event of the run. */
  handle(event: RunEvent): void {
    this.#guard(() => this.#follow(event));
  }

  /** Stops the reading of live values, and ends their series. */
  stop(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.identity) this.#context.endSeries(this.identity, this.#nextTimeMs());
  }

  #follow(event: RunEvent): void {
    this.#feed.handle(event);
    if (event.type === 'run_created') this.identity = this.#context.identify(event.benchmarkId);
    if (event.type === 'endpoints_probed' || event.type === 'load_started') this.#start();
    const hasEnded = event.type === 'phase_changed' && event.phase === 'flush';
    if (event.type !== 'load_ended' && !hasEnded) return;
    if (this.#timer) this.#read();
    this.stop();
  }

  #start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#guard(() => this.#tick()), INTERVAL_MS).unref();
    this.#read();
  }

  /** Runs a step. An error ends the reading of live values, but not the run. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.stop();
      this.#context.fail(error as Error);
    }
  }

  #tick(): void {
    if (this.#pauseSeconds > 0) this.#pauseSeconds -= 1;
    else this.#read();
  }

  #read(): void {
    const { identity: run } = this;
    if (!run) return;
    const batch = { run, timeMs: this.#nextTimeMs(), families: this.#feed.read() };
    this.#context.emit(batch);
    this.#pauseSeconds = Math.max(0, Math.ceil(countPoints(batch) / MAX_VALUES_PER_SECOND) - 1);
  }

  /** Returns the current time. It increases with each call, because receivers reject a second value of the same time. */
  #nextTimeMs(): number {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    return this.#lastMs;
  }
}
