import type { Clock } from '@org/core';
import type { EventSink } from '../events.ts';
import { acceptMark, MarkRecorder, rejectMark } from '../marks/markRecorder.ts';
import type { MarkRequest, MarkResponse } from '../marks/protocol.ts';
import { NEVER_ABORTED } from '../runContext.ts';
import { LOADED_BARRIER_MS, type Scraping } from './scraping.ts';

export interface PhaseControllerOptions {
  readonly scraping: Scraping;
  readonly clock: Clock;
  readonly emit: EventSink;
  /**
   * Maximum wait for server counters to stop changing, at the start and the end of profiling. By default,
   * there is no wait.
   */
  readonly settleSeconds?: number;
  /** Ends the run early when aborted. */
  readonly interruptSignal: AbortSignal;
  /** The marks to accept: only notes if the run generates the load and therefore sets the phases itself. */
  readonly accepts: 'marks' | 'notes';
}

/** Options of a start of profiling. */
export interface StartOptions {
  /** Cancels the start. */
  readonly signal?: AbortSignal;
  /** True if servers are under load, so that a slow endpoint must not delay the start for long. */
  readonly isLoaded?: boolean;
}

/**
 * Starts and ends the profiling phase.
 *
 * The driver of the run calls `start` and `end`. Marks of other processes take precedence: a
 * `profiling-start` mark moves everything before it to the warm-up, even if profiling has started; a
 * `profiling-end` mark is final. Phase changes are queued and made one at a time.
 */
export class PhaseController {
  readonly #options: PhaseControllerOptions;
  readonly #recorder: MarkRecorder;
  #lastChange: Promise<unknown> = Promise.resolve();
  #startedBy: 'driver' | 'mark' | undefined;
  #endedAtNs: bigint | undefined;
  #startedMs: number | undefined;
  /** Aborted by a `profiling-start` mark, which replaces a start by the driver that is still waiting. */
  #superseded = new AbortController();
  readonly #started = new AbortController();
  #isOver = false;

  constructor(options: PhaseControllerOptions) {
    const { scraping, emit } = options;
    this.#options = options;
    this.#recorder = new MarkRecorder(mark => {
      scraping.addMark(mark);
      emit({ type: 'mark_recorded', mark });
    });
  }

  /** Aborted when profiling starts. */
  get started(): AbortSignal {
    return this.#started.signal;
  }

  get isProfiling(): boolean {
    return this.#startedBy !== undefined;
  }

  /**
   * The last start of profiling on the monotonic clock, in milliseconds; the current time if profiling has
   * not started.
   */
  get startedMs(): number {
    return this.#startedMs ?? this.#options.clock.monotonicMs();
  }

  /**
   * Starts profiling, unless a mark has already started it. Returns the start of the period, in nanoseconds
   * since 1970; undefined if this call did not start it.
   */
  start({ signal = NEVER_ABORTED, isLoaded = false }: StartOptions = {}): Promise<bigint | undefined> {
    const superseded = this.#superseded.signal;
    return this.#enqueue(async () => {
      if (this.#startedBy !== undefined || this.#isOver) return undefined;
      await this.#settle('start', signal, superseded);
      if (signal.aborted || superseded.aborted) return undefined;
      return this.#startProfiling('driver', isLoaded ? LOADED_BARRIER_MS : undefined);
    });
  }

  /**
   * Ends profiling permanently, unless a mark has already ended it. Returns the end of the period, in
   * nanoseconds since 1970; undefined if profiling never started.
   */
  end(): Promise<bigint | undefined> {
    return this.#enqueue(async () => {
      this.#isOver = true;
      if (this.#startedBy !== undefined && this.#endedAtNs === undefined) await this.#endProfiling();
      return this.#endedAtNs;
    });
  }

  /**
   * Handles a mark of another process. For a change of phase, resolves after the phase has changed, so that
   * the sender does not continue earlier.
   */
  handleMark(request: MarkRequest): Promise<MarkResponse> {
    const atNs = this.#options.clock.nowNs();
    if (request.mark === 'note') return Promise.resolve(this.#recorder.addNote(request, atNs));
    if (this.#options.accepts === 'notes')
      return Promise.resolve(
        rejectMark('this run accepts only notes: servelens profile starts and ends profiling itself'),
      );
    if (request.mark === 'profiling-end') return this.#enqueue(() => this.#handleEnd(request, atNs));
    this.#superseded.abort();
    return this.#enqueue(() => this.#handleStart(request, atNs));
  }

  async #handleStart(request: MarkRequest, atNs: bigint): Promise<MarkResponse> {
    if (this.#isOver || this.#endedAtNs !== undefined)
      return rejectMark('profiling has already ended; profiling-start must precede profiling-end');
    if (this.#startedBy === 'mark')
      return rejectMark('profiling-start was already marked; it is allowed once per run');
    this.#recorder.add(request, atNs);
    await this.#settle('start');
    return acceptMark(await this.#startProfiling('mark'), 'profiling started');
  }

  async #handleEnd(request: MarkRequest, atNs: bigint): Promise<MarkResponse> {
    if (this.#isOver || this.#endedAtNs !== undefined) return rejectMark('profiling has already ended');
    if (this.#startedBy === undefined)
      return rejectMark('profiling has not started: the warm-up is active; mark profiling-start first');
    this.#recorder.add(request, atNs);
    return acceptMark(await this.#endProfiling(), 'profiling ended');
  }

  async #startProfiling(startedBy: 'driver' | 'mark', limitMs?: number): Promise<bigint> {
    const { scraping, clock, emit, interruptSignal } = this.#options;
    const startNs = await scraping.startProfiling(interruptSignal, limitMs);
    this.#startedBy = startedBy;
    this.#startedMs = clock.monotonicMs();
    emit({ type: 'phase_changed', phase: 'profiling' });
    this.#started.abort();
    return startNs;
  }

  async #endProfiling(): Promise<bigint> {
    const { scraping, emit, interruptSignal } = this.#options;
    await this.#settle('end');
    emit({ type: 'phase_changed', phase: 'after profiling' });
    this.#endedAtNs = (await scraping.endProfiling(interruptSignal.aborted))!;
    return this.#endedAtNs;
  }

  async #settle(boundary: 'start' | 'end', ...signals: AbortSignal[]): Promise<void> {
    const { scraping, settleSeconds, emit, interruptSignal } = this.#options;
    const signal = AbortSignal.any([interruptSignal, ...signals]);
    if (settleSeconds === undefined || signal.aborted || scraping.endpoints.length === 0) return;
    emit({ type: 'phase_changed', phase: 'settling' });
    emit({ type: 'settled', settling: await scraping.waitForQuiescence(boundary, settleSeconds, signal) });
  }

  #enqueue<T>(change: () => Promise<T>): Promise<T> {
    const completion = this.#lastChange.then(change);
    this.#lastChange = completion.catch(() => {});
    return completion;
  }
}
