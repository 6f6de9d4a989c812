import type { RunClock } from '../clock.ts';
import { getOutcome, type Outcome, type PhaseName, type RequestRecord } from '../requestRecord.ts';
import { measureResponse } from '../run/clientMonitor.ts';
import { Ledger } from '../run/ledger.ts';
import { isLimited } from '../run/loadOptions.ts';
import {
  type LoadProgress,
  type LoadRun,
  type LoadSummary,
  type LostWorker,
  type PhaseSummary,
  readProgress,
} from '../run/loadSummary.ts';
import { TimeHistogram } from '../run/timeHistogram.ts';
import { type ClockOrigin, createRunClock } from './clockOrigin.ts';
import { mergePhases, mergeSummaries } from './mergedSummary.ts';
import type { DoneMessage, FromThread, LoadDescription, LoadListener, ToThread } from './messages.ts';
import type { WorkerThread } from './workerThread.ts';

/**
 * Time between the start message and the start of a phase, in ns, so that the message reaches all threads in
 * time.
 */
const LEAD_NS = 2e6;

/** Options of {@link WorkerRun}. */
export interface WorkerRunOptions {
  readonly threads: readonly WorkerThread[];
  readonly load: LoadDescription;
  readonly origin: ClockOrigin;
  readonly memory: SharedArrayBuffer;
  readonly tokenizer: string;
  readonly listener: LoadListener;
}

/** Numbers of requests by outcome, from the received records of one thread and phase. */
type OutcomeCounts = Record<Outcome, number>;

/** A run whose requests are sent by worker threads, which start and end each phase together. */
export class WorkerRun implements LoadRun {
  readonly finished: Promise<LoadSummary>;
  readonly #options: WorkerRunOptions;
  readonly #clock: RunClock;
  readonly #ledger: Ledger;
  readonly #lostWorkers: LostWorker[] = [];
  /** Steps that each thread has reached in the current phase, with their times in ns since the run's origin. */
  readonly #steps = new Map<WorkerThread, Map<string, number>>();
  readonly #done = new Map<WorkerThread, DoneMessage>();
  readonly #outcomes = new Map<string, OutcomeCounts>();
  #sendDelays = new TimeHistogram();
  #firstTokens = new TimeHistogram();
  #phase: PhaseName | undefined;
  #phaseStartNs = 0;
  /** Called when a thread has reached a step or exited. */
  #onProgress: () => void = () => {};

  constructor(options: WorkerRunOptions) {
    this.#options = options;
    this.#clock = createRunClock(options.origin);
    this.#ledger = new Ledger(options.threads.length, options.memory);
    for (const thread of options.threads) {
      thread.onMessage = message => this.#onMessage(thread, message);
      thread.onExit = () => this.#onExit(thread);
      // The thread may have exited since it opened.
      if (thread.exitReason !== undefined) this.#onExit(thread);
    }
    this.finished = this.#run();
  }

  get originNs(): bigint {
    return this.#options.origin.wallNs;
  }

  getProgress(): LoadProgress {
    return readProgress(this.#phase, this.#ledger, Math.max(0, this.#clock.nowNs() - this.#phaseStartNs));
  }

  get #activeThreads(): WorkerThread[] {
    return this.#options.threads.filter(({ exitReason }) => exitReason === undefined);
  }

  get #isAborted(): boolean {
    return this.#lostWorkers.length > 0 || (this.#options.listener.signal?.aborted ?? false);
  }

  async #run(): Promise<LoadSummary> {
    // Return the run to the caller before its first event.
    await Promise.resolve();
    const { listener, load } = this.#options;
    const interrupt = (): void => this.#postAll({ type: 'interrupt' });
    if (listener.signal?.aborted) interrupt();
    listener.signal?.addEventListener('abort', interrupt);
    const endPhase = (): void => this.#postAll({ type: 'end_phase' });
    listener.overSaturated?.addEventListener('abort', endPhase);
    const names: readonly PhaseName[] = load.warmup ? ['warmup', 'profiling'] : ['profiling'];
    const phases: PhaseSummary[][] = [];
    let usedSessions = 0;
    for (const name of names) {
      if (this.#isAborted) break;
      phases.push(await this.#runPhase(name, usedSessions));
      usedSessions += this.#ledger.sessionsEnd;
    }
    if (phases.length < names.length) this.#postAll({ type: 'finish' });
    await this.#waitForAll('done');
    listener.signal?.removeEventListener('abort', interrupt);
    listener.overSaturated?.removeEventListener('abort', endPhase);
    return this.#summarize(phases);
  }

  /**
   * Runs a phase. Returns a summary of each thread from the ledger, used if the thread exits before it sends
   * its own.
   */
  async #runPhase(phase: PhaseName, usedSessions: number): Promise<PhaseSummary[]> {
    const { listener, threads } = this.#options;
    for (const thread of threads) this.#steps.set(thread, new Map());
    this.#postAll({ type: 'prepare', usedConversations: usedSessions });
    await this.#waitForAll('prepared');
    this.#begin(phase, await listener.beforePhase?.(phase));
    const sentNs = await this.#waitForAll('sent');
    listener.onPhase?.({ phase, kind: 'sent', atNs: sentNs });
    const endNs = await this.#waitForAll('ended');
    listener.onPhase?.({ phase, kind: 'ended', atNs: endNs });
    return threads.map(thread => this.#summarizeFromLedger(thread, phase, sentNs, endNs));
  }

  /** `startNs` is the planned start in Unix ns; by default, the phase starts now. */
  #begin(phase: PhaseName, startNs: bigint | void): void {
    this.#ledger.reset();
    this.#phase = phase;
    this.#phaseStartNs = Math.max(this.#clock.nowNs() + LEAD_NS, this.#clock.resolveStart(startNs));
    this.#sendDelays = new TimeHistogram();
    this.#firstTokens = new TimeHistogram();
    this.#postAll({ type: 'begin', startNs: this.#phaseStartNs });
    this.#options.listener.onPhase?.({ phase, kind: 'started', atNs: this.#phaseStartNs });
  }

  #postAll(message: ToThread): void {
    for (const thread of this.#activeThreads) thread.post(message);
  }

  /**
   * Resolves when all active threads have reached a step, with the time of the last one in ns since the run's
   * origin.
   */
  async #waitForAll(step: string): Promise<number> {
    const hasReached = (thread: WorkerThread): boolean =>
      step === 'done' ? this.#done.has(thread) : this.#steps.get(thread)!.has(step);
    while (!this.#activeThreads.every(hasReached)) {
      await new Promise<void>(resolve => {
        this.#onProgress = resolve;
      });
    }
    const times = [...this.#steps.values()].map(steps => steps.get(step));
    return Math.max(this.#phaseStartNs, ...times.map(timeNs => timeNs ?? Number.NEGATIVE_INFINITY));
  }

  #onMessage(thread: WorkerThread, message: FromThread): void {
    if (message.type === 'records') {
      for (const record of message.records) this.#onRecord(thread, record);
      this.#ledger.add(thread.number, 'processedBytes', message.bytes);
      return;
    }
    const steps = this.#steps.get(thread);
    if (message.type === 'prepared') steps?.set('prepared', this.#clock.nowNs());
    else if (message.type === 'event') steps?.set(message.event.kind, message.event.atNs);
    else if (message.type === 'done') this.#done.set(thread, message);
    this.#onProgress();
  }

  #onRecord(thread: WorkerThread, record: RequestRecord): void {
    const outcomes = this.#getOutcomes(thread, record.phase);
    outcomes[getOutcome(record)] += 1;
    // Records of the warm-up may arrive after its end.
    if (record.phase === this.#phase) {
      this.#sendDelays.add(record.startNs - record.intendedNs);
      const responseNs = measureResponse(record);
      if (responseNs !== undefined) this.#firstTokens.add(responseNs);
    }
    this.#options.listener.onRecord(record);
  }

  #getOutcomes(thread: WorkerThread, phase: PhaseName): OutcomeCounts {
    const key = `${thread.id} ${phase}`;
    const outcomes = this.#outcomes.get(key) ?? { succeeded: 0, failed: 0, cancelled: 0 };
    this.#outcomes.set(key, outcomes);
    return outcomes;
  }

  /**
   * Aborts the run if a thread exits early, because the requested load is no longer sent. Earlier results are
   * kept.
   */
  #onExit(thread: WorkerThread): void {
    if (thread.exitReason === undefined || this.#lostWorkers.some(({ workerId }) => workerId === thread.id))
      return;
    const { succeeded, failed, cancelled } = this.#getOutcomes(thread, this.#phase ?? 'profiling');
    const sent = this.#ledger.count(thread.number, 'sent');
    this.#lostWorkers.push({
      workerId: thread.id,
      message: thread.exitReason,
      requests: Math.max(0, sent - succeeded - failed - cancelled),
    });
    this.#postAll({ type: 'interrupt' });
    this.#onProgress();
  }

  /**
   * Summarizes a thread's part of a phase from the ledger, which includes the requests of threads that have
   * exited.
   */
  #summarizeFromLedger(thread: WorkerThread, phase: PhaseName, sentNs: number, endNs: number): PhaseSummary {
    const { succeeded, cancelled } = this.#getOutcomes(thread, phase);
    const sent = this.#ledger.count(thread.number, 'sent');
    const sessions = this.#ledger.count(thread.number, 'sessions');
    const times = { startNs: this.#phaseStartNs, sentNs, endNs };
    const failed = sent - succeeded - cancelled;
    const counts = { sent, succeeded, failed, cancelled, sessions, unsent: 0 };
    const waits = { connectionWaits: 0, connectionWaitNs: 0 };
    return { phase, ...times, ...counts, ...waits, stopReason: 'interrupted' };
  }

  #summarize(fromLedger: readonly PhaseSummary[][]): LoadSummary {
    const { threads, load, tokenizer, origin } = this.#options;
    const phases = fromLedger.map((summaries, index) =>
      mergePhases(
        threads.map((thread, worker) => this.#done.get(thread)?.summary.phases[index] ?? summaries[worker]!),
      ),
    );
    return mergeSummaries({
      originNs: origin.wallNs,
      phases,
      wasCancelled: this.#isAborted,
      failedRequestThreshold: load.profiling.failedRequestThreshold,
      isUnlimited: !isLimited(load.profiling),
      done: [...this.#done.values()],
      sendDelay: this.#sendDelays.computeStats(),
      medianFirstTokenNs: this.#firstTokens.computeStats().p50Ns,
      tokenizer,
      workers: threads.length,
      lostWorkers: this.#lostWorkers,
    });
  }
}
