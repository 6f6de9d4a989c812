import { randomUUID } from 'node:crypto';
import { RunClock } from '../clock.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { ENDPOINTS } from '../endpoint/endpoints.ts';
import { ConnectionPool } from '../http/connectionPool.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import { Backlog } from '../response/readQueue.ts';
import { Endings } from '../response/truncationDetector.ts';
import { cancellations } from './cancellation.ts';
import { firstConversation } from './conversationOffset.ts';
import { Preparation } from './conversationQueue.ts';
import { LagMonitor, TimeHistogram, type TimeSpread } from './eventLoopDelay.ts';
import { type Line, Sending } from './inFlightRequest.ts';
import type { LoadOptions, PhaseEvent, PhaseOptions, PhaseSummary } from './loadOptions.ts';
import { type LoadProgress, type LoadRun, type LoadSummary, progressOf } from './loadSummary.ts';
import { warningsFor } from './loadWarning.ts';
import { type Credit, Phase, type PhasePlan } from './phase.ts';
import { Alone, type Team } from './phaseCoordinator.ts';
import { planOf } from './phasePlan.ts';
import { Finisher } from './recordBuilder.ts';
import { type Address, addressesOf, bodyOf, headersOf } from './target.ts';

const TIMEOUT_S = 21_600;
const CONNECT_TIMEOUT_S = 30;

/** Begins a run. Throws for options that cannot be; what goes wrong later stands in the records. */
export function startLoad(options: LoadOptions): LoadRun {
  const clock = new RunClock(options.clock);
  return new Run(options, clock, new Alone(options, clock));
}

/** The barrier before a phase is the team's. */
export type RunOptions = Omit<LoadOptions, 'clock' | 'beforePhase'>;

/** One thread's run of a load. */
export class Run implements LoadRun {
  readonly finished: Promise<LoadSummary>;
  readonly #options: RunOptions;
  readonly #clock: RunClock;
  readonly #team: Team;
  readonly #endpoint: Endpoint;
  readonly #line: Line;
  readonly #addresses: readonly Address[];
  readonly #headers: readonly string[];
  /** Whether they say who asks: then that counts, and not what stands in a URL. */
  readonly #isAuthorized: boolean;
  readonly #finisher: Finisher;
  readonly #lag = new LagMonitor();
  readonly #cancelAfter: (session: number, turn: number) => number | undefined;
  #lateness = new TimeHistogram();
  #firstTokens = new TimeHistogram();
  #silentEnds = 0;
  #phase: Phase | undefined;
  #phaseName: PhaseName | undefined;
  #phaseStartNs = 0;

  /** Throws for options that cannot be. */
  constructor(options: RunOptions, clock: RunClock, team: Team) {
    this.#options = options;
    this.#clock = clock;
    this.#team = team;
    const { target, endpoint = 'chat', tls = {}, counter, seed = 0, timeoutS = TIMEOUT_S } = options;
    if (!Object.hasOwn(ENDPOINTS, endpoint))
      throw new RangeError(
        `endpoint type is ${JSON.stringify(endpoint)}; ${Object.keys(ENDPOINTS).join(', ')} are accepted`,
      );
    this.#endpoint = ENDPOINTS[endpoint];
    const streaming = target.streaming && this.#endpoint.streams;
    this.#addresses = addressesOf(target, this.#endpoint);
    this.#headers = headersOf({ ...target, streaming });
    this.#isAuthorized = this.#headers.some(name => name.toLowerCase() === 'authorization');
    this.#cancelAfter = cancellations(options.cancellation, seed);
    if (!(timeoutS > 0)) throw new RangeError(`timeoutS is ${timeoutS}; a number above 0 is accepted`);
    // Plans are made first, so that a wrong one throws before anything is sent.
    const plans = this.#phases().map(([name, phase]) => planOf(name, phase, options.inputs, seed));
    const pool = new ConnectionPool(this.#clock, {
      connectTimeoutMs: 1000 * (options.connectTimeoutS ?? CONNECT_TIMEOUT_S),
      verifyTls: true,
      ...tls,
    });
    this.#line = {
      clock: this.#clock,
      pool,
      backlog: new Backlog(),
      endpoint: this.#endpoint,
      streaming,
      endings: new Endings(),
    };
    this.#finisher = new Finisher({
      counter,
      source: options.tokenSource ?? (counter ? 'client' : 'server'),
      workerId: options.workerId ?? 'worker_0',
      endpoint,
      streaming,
      keepText: options.keepText ?? false,
      onRecord: record => this.#recorded(record),
    });
    this.finished = this.#run(plans);
  }

  get originNs(): bigint {
    return this.#clock.originNs;
  }

  progress(): LoadProgress {
    const { ledger } = this.#team.share;
    return progressOf(this.#phaseName, ledger, this.#clock.now() - this.#phaseStartNs);
  }

  /** Looks at once what there is to do: something outside has changed. */
  wake(): void {
    this.#phase?.wake();
  }

  #phases(): [PhaseName, PhaseOptions][] {
    const { warmup, profiling } = this.#options;
    return warmup
      ? [
          ['warmup', warmup],
          ['profiling', profiling],
        ]
      : [['profiling', profiling]];
  }

  async #run(plans: readonly PhasePlan[]): Promise<LoadSummary> {
    // Whoever called has the run in hand before its first event.
    await Promise.resolve();
    const interrupt = (): void => this.#phase?.interrupt();
    const { signal } = this.#options;
    signal?.addEventListener('abort', interrupt);
    const phases: PhaseSummary[] = [];
    for (const plan of plans) {
      const used = await this.#team.prepare(plan.phase);
      if (used === undefined) break;
      phases.push(await this.#runPhase(plan, used));
    }
    const { lag, busy } = this.#lag.stop();
    signal?.removeEventListener('abort', interrupt);
    await this.#finisher.flush();
    this.#line.pool.close();
    return this.#summary(phases, lag, busy);
  }

  /** `used`: conversations that earlier phases have used. */
  async #runPhase(plan: PhasePlan, used: number): Promise<PhaseSummary> {
    const { share } = this.#team;
    const { inputs, warmup } = this.#options;
    const first = firstConversation(plan, inputs, warmup, used);
    const preparation = this.#preparation(plan, first);
    preparation.fill();
    this.#phaseStartNs = await this.#team.begin(plan.phase);
    const event = (what: PhaseEvent['what'], atNs: number): void =>
      this.#options.onPhase?.({ phase: plan.phase, what, atNs });
    const phase = new Phase(
      plan,
      this.#clock,
      share,
      session => preparation.take(session),
      (credit, finished) => this.#send(credit, finished),
      () => event('sent', this.#clock.now()),
    );
    this.#lag.start();
    this.#lateness = new TimeHistogram();
    this.#silentEnds = 0;
    this.#firstTokens = new TimeHistogram();
    this.#phase = phase;
    this.#phaseName = plan.phase;
    event('started', this.#phaseStartNs);
    const running = phase.run(this.#phaseStartNs);
    if (this.#options.signal?.aborted) phase.interrupt();
    const summary = await running;
    event('ended', summary.endNs);
    return summary;
  }

  #preparation({ concurrency, requestCount, sessionCount }: PhasePlan, first: number): Preparation {
    const { worker, ledger } = this.#team.share;
    const own = (whole: number): number => Math.max(0, Math.ceil((whole - worker) / ledger.workers));
    const places = concurrency.placesAt(Number.POSITIVE_INFINITY);
    return new Preparation(
      session => this.#options.inputs.conversation(first + session),
      { first: worker, step: ledger.workers },
      own(places),
      own(Math.min(requestCount, sessionCount)),
    );
  }

  #send({ phase, index, session, intendedNs }: Credit, finished: (sending: Sending) => void): Sending {
    const { target, timeoutS = TIMEOUT_S, connectionReuse = 'pooled' } = this.#options;
    const address = this.#addresses[index % this.#addresses.length]!;
    const requestId = randomUUID();
    const { current: turn, turn: turnIndex } = session;
    const model = turn.model ?? target.model;
    const uncounted = session.uncounted();
    const body = bodyOf(this.#endpoint, target, model, session.messages(), turn.maxTokens);
    const { authorization } = address;
    const own = authorization === undefined || this.#isAuthorized ? [] : ['authorization', authorization];
    const ids = ['x-request-id', requestId, 'x-correlation-id', session.correlationId];
    const request = {
      origin: address.origin,
      path: address.path,
      headers: [...this.#headers, ...own, ...ids],
      body,
      timeoutMs: timeoutS * 1000,
      reuse: connectionReuse === 'pooled',
    };
    const cancelAfterMs = this.#cancelAfter(session.number, turnIndex);
    return new Sending(this.#line, request, cancelAfterMs, over => {
      const whole = {
        sending: over,
        session,
        turn: turnIndex,
        phase,
        index,
        requestId,
        url: address.url,
        model,
        intendedNs,
        requestBytes: body.length,
        requestedOutput: turn.maxTokens,
        uncounted,
        hasContext: this.#endpoint.name !== 'embeddings',
        inputText: turn.text,
      };
      this.#lateness.add(over.exchange.begunNs - intendedNs);
      this.#finisher.take(whole);
      finished(over);
    });
  }

  #recorded(record: RequestRecord): void {
    // Records of warm-up may come when its phase is over.
    if (record.phase === this.#phaseName) {
      if (record.firstTokenNs !== undefined) this.#firstTokens.add(record.firstTokenNs - record.startNs);
      if (record.silentEnd) this.#silentEnds += 1;
    }
    this.#options.onRecord(record);
  }

  #summary(phases: readonly PhaseSummary[], lag: TimeSpread, busy: number): LoadSummary {
    const { counter, tokenSource, signal } = this.#options;
    const lateness = this.#lateness.spread();
    const isOpen = this.#options.profiling.concurrency === undefined;
    const figures = {
      lag,
      busy,
      // With a limit of concurrency, requests wait for a place: late, but not by the client's fault.
      lateness: isOpen ? lateness : { ...lateness, p99Ns: 0 },
      medianFirstTokenNs: this.#firstTokens.spread().p50Ns,
      silentEnds: this.#silentEnds,
    };
    return {
      originNs: this.#clock.originNs,
      phases,
      wasCancelled: signal?.aborted ?? false,
      eventLoopLag: lag,
      clientBusy: busy,
      sendLateness: lateness,
      silentEnds: this.#silentEnds,
      tokenizer: tokenSource === 'server' || !counter ? 'server' : counter.name,
      workers: 0,
      lost: [],
      warnings: warningsFor(figures),
    };
  }
}
