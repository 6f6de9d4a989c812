import { randomUUID } from 'node:crypto';
import { toRunNumber } from '@org/core';
import { RunClock } from '../clock.ts';
import { findEndpoint } from '../endpoint/endpoints.ts';
import { ConnectionPool } from '../http/connectionPool.ts';
import { addMarker } from '../input/cacheBust.ts';
import type { Conversation } from '../input/conversation.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import { ReadQueue } from '../response/readQueue.ts';
import { TruncationDetector } from '../response/truncationDetector.ts';
import { ClientMonitor } from './clientMonitor.ts';
import { ConversationQueue, findFirstConversation, getConversation } from './conversationQueue.ts';
import { findFailureWarnings } from './failureWarnings.ts';
import type { InFlightRequest, RequestContext } from './inFlightRequest.ts';
import { isLimited, type LoadOptions, type PhaseEvent, type PhaseOptions } from './loadOptions.ts';
import {
  type LoadProgress,
  type LoadRun,
  type LoadSummary,
  type PhaseSummary,
  readProgress,
  wasAborted,
} from './loadSummary.ts';
import { type ClientStats, findWarnings } from './loadWarning.ts';
import { Phase } from './phase.ts';
import { LocalCoordinator, type PhaseCoordinator } from './phaseCoordinator.ts';
import { createPhasePlan, type PhasePlan } from './phasePlan.ts';
import { type EndedRequestInfo, RecordBuilder } from './recordBuilder.ts';
import { RequestSender } from './requestSender.ts';
import type { ScheduledRequest } from './session.ts';

const DEFAULT_CONNECT_TIMEOUT_S = 30;

/** Starts a run in this thread. Throws RangeError for invalid options. Failed requests are recorded. */
export function startLoad(options: LoadOptions): LoadRun {
  const clock = new RunClock(options.clock);
  return new LocalRun(options, clock, new LocalCoordinator(options, clock));
}

/** Throws RangeError if the options of a phase are invalid, conflicting, or do not fit the inputs. */
export function checkPhases(options: PhasesOptions): void {
  createPhasePlans(options);
}

/** Options of a thread's run. The clock is passed separately, and the coordinator calls `beforePhase`. */
export type LocalRunOptions = Omit<LoadOptions, 'clock' | 'beforePhase'>;

/** The run of a load in one thread. */
export class LocalRun implements LoadRun {
  readonly finished: Promise<LoadSummary>;
  readonly #options: LocalRunOptions;
  readonly #clock: RunClock;
  readonly #coordinator: PhaseCoordinator;
  readonly #pool: ConnectionPool;
  readonly #sender: RequestSender;
  readonly #records: RecordBuilder;
  readonly #monitor = new ClientMonitor();
  #phase: Phase | undefined;
  #phaseName: PhaseName | undefined;
  #phaseStartNs = 0;

  /** Throws RangeError for invalid options. */
  constructor(options: LocalRunOptions, clock: RunClock, coordinator: PhaseCoordinator) {
    this.#options = options;
    this.#clock = clock;
    this.#coordinator = coordinator;
    const context = createContext(options, clock);
    this.#pool = context.pool;
    this.#sender = new RequestSender(options, context);
    const { counter } = options;
    // Validate all phases before any request is sent.
    const plans = createPhasePlans(options);
    this.#records = new RecordBuilder({
      counter,
      workerId: options.workerId ?? 'worker_0',
      endpoint: context.endpoint.name,
      keepText: options.keepText ?? false,
      chunkUsage: options.target.chunkUsage ?? false,
      onRecord: record => this.#onRecord(record),
    });
    this.finished = this.#run(plans);
  }

  get originNs(): bigint {
    return this.#clock.originNs;
  }

  getProgress(): LoadProgress {
    const { ledger } = this.#coordinator.share;
    return readProgress(this.#phaseName, ledger, this.#clock.nowNs() - this.#phaseStartNs);
  }

  /** Sends requests that have become possible because another thread changed the ledger. */
  wake(): void {
    this.#phase?.wake();
  }

  async #run(plans: readonly PhasePlan[]): Promise<LoadSummary> {
    // Return the run to the caller before its first event.
    await Promise.resolve();
    const interrupt = (): void => this.#phase?.interrupt();
    const endOverSaturated = (): void => this.#phase?.endOverSaturated();
    const { signal, overSaturated } = this.#options;
    signal?.addEventListener('abort', interrupt);
    overSaturated?.addEventListener('abort', endOverSaturated);
    const phases: PhaseSummary[] = [];
    for (const plan of plans) {
      const usedConversations = await this.#coordinator.prepare(plan.phase);
      if (usedConversations === undefined) break;
      // A shard does not know how many conversations the other shards have used, only the maximum.
      const used = plan.shard.count === 1 ? usedConversations : countPlannedConversations(plans, plan);
      phases.push(await this.#runPhase(plan, used));
    }
    const eventLoop = this.#monitor.stop();
    signal?.removeEventListener('abort', interrupt);
    overSaturated?.removeEventListener('abort', endOverSaturated);
    await this.#records.flush();
    this.#pool.close();
    return this.#summarize(phases, eventLoop);
  }

  /** `usedConversations` is the number of conversations used by earlier phases. */
  async #runPhase(plan: PhasePlan, usedConversations: number): Promise<PhaseSummary> {
    const conversations = this.#createConversations(plan, usedConversations);
    await conversations.fill(this.#options.signal);
    this.#phaseStartNs = await this.#coordinator.begin(plan.phase);
    const emit = (kind: PhaseEvent['kind'], atNs: number): void =>
      this.#options.onPhase?.({ phase: plan.phase, kind, atNs });
    const phase = new Phase(plan, this.#clock, this.#coordinator.share, {
      getConversation: session => conversations.take(session),
      send: (scheduled, onEnd, onFirstToken) => this.#send(scheduled, onEnd, onFirstToken),
      onAllSent: () => emit('sent', this.#clock.nowNs()),
    });
    this.#monitor.start();
    this.#phase = phase;
    this.#phaseName = plan.phase;
    emit('started', this.#phaseStartNs);
    const ended = phase.run(this.#phaseStartNs);
    if (this.#options.signal?.aborted) phase.interrupt();
    const summary = await ended;
    emit('ended', summary.endNs);
    return summary;
  }

  #createConversations(plan: PhasePlan, usedConversations: number): ConversationQueue {
    const { inputs, warmup, cacheBust = 'none' } = this.#options;
    const { worker, ledger } = this.#coordinator.share;
    const mark = (conversation: Conversation): Conversation =>
      cacheBust === 'none'
        ? conversation
        : addMarker(conversation, cacheBust, { isWarmup: plan.phase === 'warmup', id: randomUUID() });
    const first = findFirstConversation(plan, inputs, warmup, usedConversations);
    const countAssigned = (total: number): number =>
      Math.max(0, Math.ceil((total - worker) / ledger.workers));
    return new ConversationQueue(
      session => mark(getConversation(inputs, plan, first, toRunNumber(session, plan.shard))),
      { first: worker, step: ledger.workers },
      countAssigned(plan.concurrency.countSlots(Number.POSITIVE_INFINITY)),
      countAssigned(Math.min(plan.requestCount, plan.sessionCount)),
    );
  }

  #send(
    scheduled: ScheduledRequest,
    onEnd: (request: InFlightRequest) => void,
    onFirstToken: (() => void) | undefined,
  ): InFlightRequest {
    const onRequestEnd = (ended: EndedRequestInfo): void => {
      this.#monitor.addSendDelay(ended.request.exchange.wireStartNs - ended.intendedNs);
      this.#records.add(ended);
      onEnd(ended.request);
    };
    return this.#sender.send(scheduled, onRequestEnd, onFirstToken);
  }

  #onRecord(record: RequestRecord): void {
    // Records of the warm-up may arrive after its end.
    if (record.phase === this.#phaseName) this.#monitor.addRecord(record);
    this.#options.onRecord(record);
  }

  #summarize(
    phases: readonly PhaseSummary[],
    eventLoop: Pick<ClientStats, 'eventLoopDelay' | 'utilization'>,
  ): LoadSummary {
    const { counter, signal, profiling } = this.#options;
    const requestStats = this.#monitor.computeRequestStats();
    const { sendDelay, missingEndMarkers, templateProblems } = requestStats;
    // With a concurrency limit, requests wait for slots, so send delays do not indicate an overloaded client.
    const isUnlimited = !isLimited(profiling);
    const stats = {
      ...eventLoop,
      ...requestStats,
      sendDelay: isUnlimited ? sendDelay : { ...sendDelay, p99Ns: 0 },
    };
    return {
      originNs: this.#clock.originNs,
      phases,
      wasCancelled: (signal?.aborted ?? false) || wasAborted(phases),
      eventLoopDelay: eventLoop.eventLoopDelay,
      clientBusy: eventLoop.utilization,
      sendDelay,
      missingEndMarkers,
      ...(templateProblems ? { templateProblems } : {}),
      tokenizer: counter?.name ?? 'server',
      workers: 0,
      lostWorkers: [],
      warnings: [...findFailureWarnings(phases, profiling.failedRequestThreshold), ...findWarnings(stats)],
    };
  }
}

/** The options that determine the phases of a run. */
type PhasesOptions = Pick<LoadOptions, 'warmup' | 'profiling' | 'inputs' | 'seed' | 'shard'>;

function createPhasePlans({ warmup, profiling, inputs, seed = 0, shard }: PhasesOptions): PhasePlan[] {
  const createPlan = (name: PhaseName, phase: PhaseOptions): PhasePlan =>
    createPhasePlan(name, phase, inputs, seed, shard);
  return [...(warmup ? [createPlan('warmup', warmup)] : []), createPlan('profiling', profiling)];
}

/** Returns the maximum number of conversations that all shards use in the phases before a phase. */
function countPlannedConversations(plans: readonly PhasePlan[], phase: PhasePlan): number {
  const earlier = plans.slice(0, plans.indexOf(phase));
  return earlier.reduce((sum, { maxConversations }) => sum + maxConversations, 0);
}

function createContext(options: LocalRunOptions, clock: RunClock): RequestContext {
  const { target, tls = {} } = options;
  const endpoint = findEndpoint(options.endpoint);
  const pool = new ConnectionPool(clock, {
    connectTimeoutMs: 1000 * (options.connectTimeoutS ?? DEFAULT_CONNECT_TIMEOUT_S),
    verifyTls: true,
    ...tls,
  });
  return {
    clock,
    pool,
    readQueue: new ReadQueue(),
    endpoint,
    streaming: target.streaming && endpoint.canStream,
    truncation: new TruncationDetector(),
    keepRaw: options.keepRaw ?? false,
  };
}
