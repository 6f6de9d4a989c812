import type { RunClock } from '../clock.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import { TimeHistogram } from '../run/eventLoopDelay.ts';
import { Ledger } from '../run/ledger.ts';
import type { PhaseSummary } from '../run/loadOptions.ts';
import {
  type LoadProgress,
  type LoadRun,
  type LoadSummary,
  type LostWorker,
  progressOf,
} from '../run/loadSummary.ts';
import { clockSince, type Origin } from './clockOrigin.ts';
import { mergedPhase, mergedSummary } from './mergedSummary.ts';
import type { DoneMessage, FromThread, LoadDescription, LoadListener, ToThread } from './messages.ts';
import type { LoadThread } from './workerThread.ts';

/** How long after the barrier a phase begins, ns: all threads must have heard of it by then. */
const LEAD_NS = 2e6;

export interface WorkerRunOptions {
  readonly threads: readonly LoadThread[];
  readonly load: LoadDescription;
  readonly origin: Origin;
  readonly memory: SharedArrayBuffer;
  readonly tokenizer: string;
  readonly listener: LoadListener;
}

/** How the requests of one phase ended, as far as their records have come. */
export interface Tally {
  succeeded: number;
  failed: number;
  cancelled: number;
}

/** A run whose requests other threads send. It has them begin and end each phase together. */
export class WorkerRun implements LoadRun {
  readonly finished: Promise<LoadSummary>;
  readonly #options: WorkerRunOptions;
  readonly #clock: RunClock;
  readonly #ledger: Ledger;
  readonly #lost: LostWorker[] = [];
  /** What each thread has told of the present phase, and when, ns of the run. */
  readonly #told = new Map<LoadThread, Map<string, number>>();
  readonly #done = new Map<LoadThread, DoneMessage>();
  readonly #tallies = new Map<string, Tally>();
  #lateness = new TimeHistogram();
  #firstTokens = new TimeHistogram();
  #phase: PhaseName | undefined;
  #phaseStartNs = 0;
  /** Called when a thread has told something, or ended. */
  #look: () => void = () => {};

  constructor(options: WorkerRunOptions) {
    this.#options = options;
    this.#clock = clockSince(options.origin);
    this.#ledger = new Ledger(options.threads.length, options.memory);
    for (const thread of options.threads) {
      thread.onMessage = message => this.#heard(thread, message);
      thread.onEnd = () => this.#ended(thread);
      // One may have ended between its opening and now.
      if (thread.death !== undefined) this.#ended(thread);
    }
    this.finished = this.#run();
  }

  get originNs(): bigint {
    return this.#options.origin.wallNs;
  }

  progress(): LoadProgress {
    return progressOf(this.#phase, this.#ledger, Math.max(0, this.#clock.now() - this.#phaseStartNs));
  }

  /** Threads that are at work. */
  get #living(): LoadThread[] {
    return this.#options.threads.filter(({ death }) => death === undefined);
  }

  get #isCut(): boolean {
    return this.#lost.length > 0 || (this.#options.listener.signal?.aborted ?? false);
  }

  async #run(): Promise<LoadSummary> {
    // Whoever called has the run in hand before its first event.
    await Promise.resolve();
    const { listener, load } = this.#options;
    const interrupt = (): void => this.#tell({ do: 'interrupt' });
    if (listener.signal?.aborted) interrupt();
    listener.signal?.addEventListener('abort', interrupt);
    const names: readonly PhaseName[] = load.warmup ? ['warmup', 'profiling'] : ['profiling'];
    const phases: PhaseSummary[][] = [];
    let used = 0;
    for (const name of names) {
      if (this.#isCut) break;
      phases.push(await this.#runPhase(name, used));
      used += this.#ledger.sessionsEnd;
    }
    if (phases.length < names.length) this.#tell({ do: 'finish' });
    await this.#all('done');
    listener.signal?.removeEventListener('abort', interrupt);
    return this.#summary(phases);
  }

  /** Returns what the ledger says of each thread. */
  async #runPhase(phase: PhaseName, used: number): Promise<PhaseSummary[]> {
    const { listener, threads } = this.#options;
    for (const thread of threads) this.#told.set(thread, new Map());
    this.#tell({ do: 'prepare', used });
    await this.#all('prepared');
    await listener.beforePhase?.(phase);
    this.#begin(phase);
    const sentNs = await this.#all('sent');
    listener.onPhase?.({ phase, what: 'sent', atNs: sentNs });
    const endNs = await this.#all('ended');
    listener.onPhase?.({ phase, what: 'ended', atNs: endNs });
    return threads.map(thread => this.#byLedger(thread, phase, sentNs, endNs));
  }

  #begin(phase: PhaseName): void {
    this.#ledger.reset();
    this.#phase = phase;
    this.#phaseStartNs = this.#clock.now() + LEAD_NS;
    this.#lateness = new TimeHistogram();
    this.#firstTokens = new TimeHistogram();
    this.#tell({ do: 'begin', startNs: this.#phaseStartNs });
    this.#options.listener.onPhase?.({ phase, what: 'started', atNs: this.#phaseStartNs });
  }

  #tell(message: ToThread): void {
    for (const thread of this.#living) thread.tell(message);
  }

  /** Resolves when all threads that live have told this, with the time of the last, ns of the run. */
  async #all(what: string): Promise<number> {
    const has = (thread: LoadThread): boolean =>
      what === 'done' ? this.#done.has(thread) : this.#told.get(thread)!.has(what);
    while (!this.#living.every(has)) {
      await new Promise<void>(resolve => {
        this.#look = resolve;
      });
    }
    const times = [...this.#told.values()].map(told => told.get(what));
    return Math.max(this.#phaseStartNs, ...times.map(time => time ?? Number.NEGATIVE_INFINITY));
  }

  #heard(thread: LoadThread, message: FromThread): void {
    if (message.is === 'records') {
      for (const record of message.records) this.#take(thread, record);
      this.#ledger.add(thread.number, 'taken', message.weight);
      return;
    }
    const told = this.#told.get(thread);
    if (message.is === 'prepared') told?.set('prepared', this.#clock.now());
    else if (message.is === 'event') told?.set(message.event.what, message.event.atNs);
    else if (message.is === 'done') this.#done.set(thread, message);
    this.#look();
  }

  #take(thread: LoadThread, record: RequestRecord): void {
    const tally = this.#tally(thread, record.phase);
    tally[record.failure ? 'failed' : 'succeeded'] += 1;
    if (record.cancelled) tally.cancelled += 1;
    // Records of warm-up may come when its phase is over.
    if (record.phase === this.#phase) {
      this.#lateness.add(record.startNs - record.intendedNs);
      if (record.firstTokenNs !== undefined) this.#firstTokens.add(record.firstTokenNs - record.startNs);
    }
    this.#options.listener.onRecord(record);
  }

  #tally(thread: LoadThread, phase: PhaseName): Tally {
    const key = `${thread.id} ${phase}`;
    const tally = this.#tallies.get(key) ?? { succeeded: 0, failed: 0, cancelled: 0 };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** A run whose load has become another one is cut; what it has measured is kept. */
  #ended(thread: LoadThread): void {
    if (thread.death === undefined || this.#lost.some(({ workerId }) => workerId === thread.id)) return;
    const { succeeded, failed } = this.#tally(thread, this.#phase ?? 'profiling');
    const sent = this.#ledger.count(thread.number, 'sent');
    this.#lost.push({
      workerId: thread.id,
      message: thread.death,
      requests: Math.max(0, sent - succeeded - failed),
    });
    this.#tell({ do: 'interrupt' });
    this.#look();
  }

  /** A thread's part of a phase: what it has sent is in the ledger, even if it tells nothing any more. */
  #byLedger(thread: LoadThread, phase: PhaseName, sentNs: number, endNs: number): PhaseSummary {
    const { succeeded, cancelled } = this.#tally(thread, phase);
    const sent = this.#ledger.count(thread.number, 'sent');
    const sessions = this.#ledger.count(thread.number, 'sessions');
    const times = { startNs: this.#phaseStartNs, sentNs, endNs };
    const counts = { sent, succeeded, failed: sent - succeeded, cancelled, sessions, unsent: 0 };
    return { phase, ...times, ...counts, stopped: 'interrupted' };
  }

  #summary(phases: readonly PhaseSummary[][]): LoadSummary {
    const { threads, load, tokenizer, origin } = this.#options;
    const done = [...this.#done.values()];
    const merged = phases.map((byLedger, index) =>
      mergedPhase(
        threads.map((thread, at) => this.#done.get(thread)?.summary.phases[index] ?? byLedger[at]!),
      ),
    );
    return mergedSummary({
      originNs: origin.wallNs,
      phases: merged,
      wasCancelled: this.#isCut,
      isOpen: load.profiling.concurrency === undefined,
      done,
      lateness: this.#lateness.spread(),
      medianFirstTokenNs: this.#firstTokens.spread().p50Ns,
      tokenizer,
      workers: threads.length,
      lost: this.#lost,
    });
  }
}
