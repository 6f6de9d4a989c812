import type { Clock } from '@org/scrape';
import { accepted, MarkKeeper, refused } from '../marks/markKeeper.ts';
import type { MarkAnswer, MarkRequest } from '../marks/protocol.ts';
import { type Collection, EDGE_LIMIT_MS } from './collection.ts';
import type { Log } from './log.ts';
import { settlingMessage } from './settling.ts';

/** What the run is doing, in a word. */
export type Phase = 'warm-up' | 'settling' | 'profiling' | 'after profiling' | 'flush';

export interface PhasesOptions {
  readonly collection: Collection;
  readonly clock: Clock;
  readonly progress: { phase: Phase };
  readonly log: Log;
  /** How long the ends of profiling wait for the servers to stand still, at most; not at all without it. */
  readonly settleSeconds?: number;
  /** Aborted when somebody wants the run to end: nothing is waited for any more. */
  readonly interrupted: AbortSignal;
}

/**
 * When profiling begins and ends. By itself it begins with the run or behind a warm-up of so many seconds, and ends with the
 * run. Marks of others win: a start cuts off all that came before, whatever had begun by itself; an end is the end.
 *
 * One edge is made at a time; others wait their turn.
 */
export class Phases {
  readonly #options: PhasesOptions;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #keeper: MarkKeeper;
  #startedBy: 'itself' | 'mark' | undefined;
  #endedAtNs: bigint | undefined;
  #startedMs: number | undefined;
  /** Aborted when a mark takes the place of an edge that is being made by itself. */
  #overtaken = new AbortController();
  readonly #begun = new AbortController();
  #isOver = false;

  constructor(options: PhasesOptions) {
    this.#options = options;
    this.#keeper = new MarkKeeper(mark => options.collection.mark(mark), options.log);
  }

  /** Aborted once profiling has begun. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  get isProfiling(): boolean {
    return this.#startedBy !== undefined;
  }

  /** When profiling began, on the monotonic clock; it may begin anew. */
  get startedMs(): number {
    return this.#startedMs ?? this.#options.clock.monotonicMs();
  }

  /**
   * Profiling begins by itself, unless a mark has begun it. `signal` ends the wait for the servers to stand still. Under load,
   * which waits for nobody, slow endpoints are not waited for long.
   */
  begin(signal: AbortSignal, load: 'under load' | 'before load'): Promise<void> {
    const overtaken = this.#overtaken.signal;
    return this.#inTurn(async () => {
      if (this.#startedBy !== undefined || this.#isOver) return;
      await this.#settle('start', signal, overtaken);
      if (!signal.aborted && !overtaken.aborted)
        await this.#start('itself', load === 'under load' ? EDGE_LIMIT_MS : undefined);
    });
  }

  /** Profiling ends by itself, unless a mark has ended it. */
  end(): Promise<void> {
    const { collection, interrupted, progress } = this.#options;
    return this.#inTurn(async () => {
      this.#isOver = true;
      if (this.#startedBy === undefined || this.#endedAtNs !== undefined) return;
      await this.#settle('end');
      progress.phase = 'after profiling';
      this.#endedAtNs = await collection.endProfiling(interrupted.aborted);
    });
  }

  /** What somebody else says. The answer comes when it is done: a load generator goes on exactly then. */
  mark(request: MarkRequest): Promise<MarkAnswer> {
    const atNs = this.#options.clock.nowNs();
    if (request.mark === 'note') {
      const refusal = this.#keeper.noteRefusal();
      if (refusal) return Promise.resolve(refusal);
      this.#keeper.keep(request, atNs);
      return Promise.resolve(accepted(atNs, 'noted'));
    }
    if (request.mark === 'profiling-end') return this.#inTurn(() => this.#markEnd(request, atNs));
    this.#overtaken.abort();
    return this.#inTurn(() => this.#markStart(request, atNs));
  }

  async #markStart(request: MarkRequest, atNs: bigint): Promise<MarkAnswer> {
    if (this.#isOver || this.#endedAtNs !== undefined)
      return refused('profiling has ended already; profiling-start comes before profiling-end');
    if (this.#startedBy === 'mark')
      return refused('profiling-start was marked already; it can be once in a run');
    this.#keeper.keep(request, atNs);
    await this.#settle('start');
    const startNs = await this.#start('mark');
    return accepted(startNs, 'profiling began');
  }

  async #markEnd(request: MarkRequest, atNs: bigint): Promise<MarkAnswer> {
    if (this.#isOver || this.#endedAtNs !== undefined) return refused('profiling has ended already');
    if (this.#startedBy === undefined)
      return refused('profiling has not begun, the warm-up goes on; mark profiling-start first');
    this.#keeper.keep(request, atNs);
    await this.#settle('end');
    const { collection, interrupted, progress } = this.#options;
    progress.phase = 'after profiling';
    this.#endedAtNs = (await collection.endProfiling(interrupted.aborted))!;
    return accepted(this.#endedAtNs, 'profiling ended');
  }

  async #start(by: 'itself' | 'mark', limitMs?: number): Promise<bigint> {
    const { collection, clock, progress, interrupted } = this.#options;
    const startNs = await collection.beginProfiling(interrupted, limitMs);
    this.#startedBy = by;
    this.#startedMs = clock.monotonicMs();
    progress.phase = 'profiling';
    this.#begun.abort();
    return startNs;
  }

  async #settle(edge: 'start' | 'end', ...signals: AbortSignal[]): Promise<void> {
    const { collection, settleSeconds, progress, log, interrupted } = this.#options;
    const signal = AbortSignal.any([interrupted, ...signals]);
    if (settleSeconds === undefined || signal.aborted) return;
    progress.phase = 'settling';
    const settled = await collection.settle(edge, settleSeconds, signal);
    const message = settlingMessage(settled);
    if (settled.outcome === 'gave_up') log.warning(message);
    else log.info(message);
  }

  #inTurn<T>(edge: () => Promise<T>): Promise<T> {
    const made = this.#turn.then(edge);
    this.#turn = made.catch(() => {});
    return made;
  }
}
