import type { Clock } from '../clock.ts';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { ConnectOptions } from '../http/connector.ts';
import type { Inputs } from '../input/conversation.ts';
import type { PhaseName, RequestRecord, TokenSource } from '../requestRecord.ts';
import type { ArrivalPattern } from '../schedule/arrivalPattern.ts';
import type { Counter } from '../tokens/counter.ts';
import type { Target } from './target.ts';

/** How requests are sent in one phase, and when it ends. */
export interface PhaseOptions {
  /** Most sessions under way; without a rate and a schedule, as many as this are kept under way. */
  readonly concurrency?: number;
  /** Seconds in which the concurrency rises from 1; 0 by default. */
  readonly concurrencyRampS?: number;
  /** Requests/s that are sent by the clock, whether answers come or not. */
  readonly rate?: number;
  readonly pattern?: ArrivalPattern;
  /** Shape of the gamma pattern; 1 by default. */
  readonly smoothness?: number;
  /** Seconds in which the rate rises from 0; 0 by default. */
  readonly rateRampS?: number;
  /** Begin conversations when the inputs say, `startsMs`. */
  readonly fixedSchedule?: boolean;
  /** End after so many requests. */
  readonly requestCount?: number;
  /** Begin at most so many sessions. */
  readonly sessionCount?: number;
  /** Send nothing more after so many seconds. */
  readonly durationS?: number;
  /** How long requests may go on after that, seconds; 30 by default, Infinity is accepted. */
  readonly graceS?: number;
}

/** Clients that hang up. */
export interface CancellationOptions {
  /** Share of the requests, percent. */
  readonly percent: number;
  /** How long after its sending, seconds; 0 by default. */
  readonly delayS?: number;
}

/** What a run is told. */
export interface LoadOptions {
  readonly clock: Clock;
  readonly endpoint?: EndpointName;
  readonly target: Target;
  readonly inputs: Inputs;
  readonly profiling: PhaseOptions;
  /** Before profiling; its requests have records of their own phase. */
  readonly warmup?: PhaseOptions;
  readonly seed?: number;
  readonly cancellation?: CancellationOptions;
  /** From sending to the last byte, seconds; 21600 by default. */
  readonly timeoutS?: number;
  /** Most seconds for making a connection; 30 by default. */
  readonly connectTimeoutS?: number;
  /** `never` makes a connection for each request; `pooled` by default. */
  readonly connectionReuse?: 'pooled' | 'never';
  readonly tls?: Partial<Pick<ConnectOptions, 'verifyTls' | 'ca' | 'cert' | 'key'>>;
  /** Counts tokens at the client. */
  readonly counter?: Counter;
  /** Whose counts stand in `tokens` of a record; the client's when it has a counter. */
  readonly tokenSource?: TokenSource;
  /** Keep texts in records. */
  readonly keepText?: boolean;
  /** `worker_0` by default. */
  readonly workerId?: string;
  /** Ends the run: requests under way are cut and recorded as cancelled. */
  readonly signal?: AbortSignal;
  /** Takes each record when it is complete, in the order in which requests ended. Must not throw. */
  readonly onRecord: (record: RequestRecord) => void;
  readonly onPhase?: (event: PhaseEvent) => void;
  /**
   * Called when a phase is ready to begin and nothing is under way; its first request waits for it. Whoever watches the server
   * takes its last look of the phase before here. Must not reject.
   */
  readonly beforePhase?: (phase: PhaseName) => Promise<void>;
}

/** Something that happened to a phase: it began, sent its last request, ended. */
export interface PhaseEvent {
  readonly phase: PhaseName;
  readonly what: 'started' | 'sent' | 'ended';
  /** ns of the run. */
  readonly atNs: number;
}

/** What is more than one way to end a run, and which one it was. */
export type StopReason = 'requests' | 'sessions' | 'duration' | 'schedule' | 'interrupted';

/** One phase that is over. Times are ns of the run. */
export interface PhaseSummary {
  readonly phase: PhaseName;
  readonly startNs: number;
  readonly sentNs: number;
  readonly endNs: number;
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of the failed ones: hung up by us. */
  readonly cancelled: number;
  readonly sessions: number;
  /** Requests that were due by the clock when the phase was stopped, and had not been sent: mostly for want of a place. */
  readonly unsent: number;
  readonly stopped: StopReason;
}
