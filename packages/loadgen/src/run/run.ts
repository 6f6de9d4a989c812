import { randomUUID } from 'node:crypto';
import { Backlog } from '../answer/backlog.ts';
import { RunClock } from '../clock.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { ENDPOINTS } from '../endpoint/endpoints.ts';
import { ConnectionPool } from '../http/pool.ts';
import type { PhaseName, RequestRecord } from '../record.ts';
import { cancellations } from './cancellation.ts';
import { Finisher } from './finisher.ts';
import { LagMonitor, TimeHistogram, type TimeSpread } from './lag.ts';
import type { LoadOptions, PhaseEvent, PhaseOptions, PhaseSummary } from './options.ts';
import { type Credit, Phase } from './phase.ts';
import { planOf } from './plan.ts';
import { Preparation } from './preparation.ts';
import { type Address, addressesOf, bodyOf, headersOf } from './request.ts';
import { type Line, Sending } from './sending.ts';
import { type LoadWarning, warningsFor } from './warning.ts';

/** What a run comes to. Times are ns of the run; `originNs` is the wall time of its origin. */
export interface LoadSummary {
  readonly originNs: bigint;
  readonly phases: readonly PhaseSummary[];
  readonly wasCancelled: boolean;
  /** Of profiling: how late timers of the client were. */
  readonly eventLoopLag: TimeSpread;
  /** Of profiling: share of the time in which the client was at work, 0 to 1. */
  readonly clientBusy: number;
  /** Of profiling: from the intended to the real time of sending, waits for a free place included. */
  readonly sendLateness: TimeSpread;
  /** Who counted the tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  readonly warnings: readonly LoadWarning[];
}

/** Where a run is. */
export interface LoadProgress {
  readonly phase: PhaseName | undefined;
  readonly sent: number;
  readonly underWay: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Time in the phase, ns. */
  readonly elapsedNs: number;
}

/** A run under way. */
export interface LoadRun {
  /** Wall time of the origin, ns since 1970: of all times of records. */
  readonly originNs: bigint;
  progress(): LoadProgress;
  /** Resolves when all is over and every record is out; the counter is left open. */
  readonly finished: Promise<LoadSummary>;
}

const TIMEOUT_S = 21_600;
const CONNECT_TIMEOUT_S = 30;

/** Begins a run. Throws for options that cannot be; what goes wrong later stands in the records. */
export function startLoad(options: LoadOptions): LoadRun {
  return new Run(options);
}

class Run implements LoadRun {
  readonly finished: Promise<LoadSummary>;
  readonly #options: LoadOptions;
  readonly #clock: RunClock;
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
  #phase: Phase | undefined;
  #phaseName: PhaseName | undefined;
  #phaseStartNs = 0;
  /** Conversations that earlier phases have used. */
  #used = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
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
    this.#clock = new RunClock(options.clock);
    const pool = new ConnectionPool(this.#clock, {
      connectTimeoutMs: 1000 * (options.connectTimeoutS ?? CONNECT_TIMEOUT_S),
      verifyTls: tls.verifyTls ?? true,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    });
    this.#line = { clock: this.#clock, pool, backlog: new Backlog(), endpoint: this.#endpoint, streaming };
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
    const progress = this.#phase?.progress ?? { sent: 0, underWay: 0, succeeded: 0, failed: 0 };
    return { phase: this.#phaseName, ...progress, elapsedNs: this.#clock.now() - this.#phaseStartNs };
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

  async #run(plans: readonly ReturnType<typeof planOf>[]): Promise<LoadSummary> {
    // Whoever called has the run in hand before its first event.
    await Promise.resolve();
    const interrupt = (): void => this.#phase?.interrupt();
    const { signal } = this.#options;
    signal?.addEventListener('abort', interrupt);
    const phases: PhaseSummary[] = [];
    for (const plan of plans) {
      if (signal?.aborted) break;
      phases.push(await this.#runPhase(plan));
    }
    const { lag, busy } = this.#lag.stop();
    signal?.removeEventListener('abort', interrupt);
    await this.#finisher.flush();
    this.#line.pool.close();
    return this.#summary(phases, lag, busy);
  }

  async #runPhase(plan: ReturnType<typeof planOf>): Promise<PhaseSummary> {
    // A schedule belongs to its conversations; otherwise what warm-up has used is not used again.
    const first = plan.isScheduled ? 0 : this.#used;
    const write = (index: number) => this.#options.inputs.conversation(first + index);
    const { concurrency, requestCount, sessionCount } = plan;
    const places = concurrency.placesAt(Number.POSITIVE_INFINITY);
    const preparation = new Preparation(write, places, Math.min(requestCount, sessionCount));
    preparation.fill();
    await this.#options.beforePhase?.(plan.phase);
    const event = (what: PhaseEvent['what']): void =>
      this.#options.onPhase?.({ phase: plan.phase, what, atNs: this.#clock.now() });
    const phase = new Phase(
      plan,
      this.#clock,
      () => preparation.take(),
      (credit, finished) => this.#send(credit, finished),
      () => event('sent'),
    );
    this.#lag.start();
    this.#lateness = new TimeHistogram();
    this.#firstTokens = new TimeHistogram();
    this.#phase = phase;
    this.#phaseName = plan.phase;
    this.#phaseStartNs = this.#clock.now();
    event('started');
    const running = phase.run();
    if (this.#options.signal?.aborted) phase.interrupt();
    const summary = await running;
    this.#used += summary.sessions;
    event('ended');
    return summary;
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
    if (record.firstTokenNs !== undefined && record.phase === this.#phaseName)
      this.#firstTokens.add(record.firstTokenNs - record.startNs);
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
    };
    return {
      originNs: this.#clock.originNs,
      phases,
      wasCancelled: signal?.aborted ?? false,
      eventLoopLag: lag,
      clientBusy: busy,
      sendLateness: lateness,
      tokenizer: tokenSource === 'server' || !counter ? 'server' : counter.name,
      warnings: warningsFor(figures),
    };
  }
}
