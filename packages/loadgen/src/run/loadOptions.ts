import type { Clock, Shard } from '@org/core';
import type { Endpoint, EndpointName } from '../endpoint/endpoint.ts';
import type { ConnectOptions } from '../http/connector.ts';
import type { CacheBustTarget } from '../input/cacheBust.ts';
import type { Inputs } from '../input/conversation.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import type { ArrivalPattern } from '../schedule/arrivalSchedule.ts';
import type { RatePoint } from '../schedule/rateCurve.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import type { Target } from './target.ts';

/** The load of one phase, and the conditions that end the phase. */
export interface PhaseOptions {
  /** Maximum number of active sessions; without a rate or a schedule, this number of sessions is kept active. */
  readonly concurrency?: number;
  /** Duration of a linear ramp of the concurrency from 1, in seconds; 0 by default. */
  readonly concurrencyRampS?: number;
  /** Maximum number of requests that wait for their first token; requires streaming. */
  readonly prefillConcurrency?: number;
  /** Duration of a linear ramp of the prefill concurrency from 1, in seconds; 0 by default. */
  readonly prefillRampS?: number;
  /** Request rate per second (open loop). */
  readonly rate?: number;
  /** Changes of the rate over time, after the ramp; `rate` is the rate of the first point. */
  readonly rateSeries?: readonly RatePoint[];
  /**
   * Number of users that share `rate`. Each user sends a request every `users / rate` seconds, and a new user replaces
   * each user whose conversation ends.
   */
  readonly users?: number;
  /** Distribution of the time between requests; `poisson` by default. */
  readonly pattern?: ArrivalPattern;
  /** Shape of the gamma pattern; 1 by default. */
  readonly smoothness?: number;
  /** Duration of a linear ramp of the rate from 0, in seconds; 0 by default. */
  readonly rateRampS?: number;
  /** Start conversations at the start times of the inputs (`Inputs.startsMs`). */
  readonly fixedSchedule?: boolean;
  /** Number of requests after which the phase ends. */
  readonly requestCount?: number;
  /** Maximum number of sessions to start. */
  readonly sessionCount?: number;
  /** Time after which no more requests are sent, in seconds. */
  readonly durationS?: number;
  /** Time to wait for in-flight requests after `durationS`, in seconds; 30 by default, Infinity waits for all. */
  readonly graceS?: number;
  /**
   * Aborts the phase if more than this fraction of its requests has failed, once the larger of the concurrency
   * and 10 requests have ended. Cancelled requests are ignored.
   */
  readonly failedRequestThreshold?: number;
}

/** Reports whether requests of a phase wait for a slot, so that they may be sent later than intended. */
export function isLimited({ concurrency, prefillConcurrency }: PhaseOptions): boolean {
  return concurrency !== undefined || prefillConcurrency !== undefined;
}

/** Returns the maximum number of requests in flight of a phase; infinity if it is not limited. */
export function findMaxInFlight({
  concurrency,
  requestCount,
  sessionCount,
}: Pick<PhaseOptions, 'concurrency' | 'requestCount' | 'sessionCount'>): number {
  const limits = [concurrency, requestCount, sessionCount];
  return Math.min(...limits.map(limit => limit ?? Number.POSITIVE_INFINITY));
}

/** Options for cancelling requests, which simulates clients that disconnect. */
export interface CancellationOptions {
  /** Percentage of requests to cancel. */
  readonly percent: number;
  /** Delay between sending and cancelling, in seconds; 0 by default. */
  readonly delayS?: number;
}

export const CONNECTION_REUSES = ['pooled', 'never', 'sticky-user-sessions'] as const;
/**
 * The use of connections: kept alive and shared by all requests (`pooled`), one for each request (`never`), or one for
 * each session (`sticky-user-sessions`).
 */
export type ConnectionReuse = (typeof CONNECTION_REUSES)[number];

/** Options of a run. */
export interface LoadOptions {
  readonly clock: Clock;
  /** The API to send requests to; `chat` by default. `openEndpoint` opens an API with a format. */
  readonly endpoint?: EndpointName | Endpoint;
  readonly target: Target;
  readonly inputs: Inputs;
  readonly profiling: PhaseOptions;
  /** Load before the profiling phase; its requests are recorded with the phase `warmup`. */
  readonly warmup?: PhaseOptions;
  /** Seed of schedules and cancellations; 0 by default. */
  readonly seed?: number;
  /** The part of the load to send; the whole load by default. Limits and rates apply to all shards together. */
  readonly shard?: Shard;
  readonly cancellation?: CancellationOptions;
  /** Place of a marker that keeps the server from finding prompts in its prefix cache; `none` by default. */
  readonly cacheBust?: CacheBustTarget;
  /** Request timeout from sending to the last byte, in seconds; 21600 by default. */
  readonly timeoutS?: number;
  /** Connection timeout in seconds; 30 by default. */
  readonly connectTimeoutS?: number;
  /** `pooled` by default. */
  readonly connectionReuse?: ConnectionReuse;
  readonly tls?: Partial<Pick<ConnectOptions, 'verifyTls' | 'ca' | 'cert' | 'key'>>;
  /** Token counter on the client; none by default. */
  readonly counter?: TokenCounter;
  /** Count the input of requests with the chat template of the counter's tokenizer; false by default. */
  readonly appliesChatTemplate?: boolean;
  /** Include prompts and responses in records; false by default. */
  readonly keepText?: boolean;
  /** Include requests and responses as sent and received in records; false by default. */
  readonly keepRaw?: boolean;
  /** Name of the thread in records; `worker_0` by default. */
  readonly workerId?: string;
  /** Aborts the run: in-flight requests are cancelled and recorded as cancelled. */
  readonly signal?: AbortSignal;
  /** Ends the active phase because the servers are over-saturated: in-flight requests are cancelled, and the run continues. */
  readonly overSaturated?: AbortSignal;
  /** Receives each record when it is complete, in order of completion. Must not throw. */
  readonly onRecord: (record: RequestRecord) => void;
  readonly onPhase?: (event: PhaseEvent) => void;
  /**
   * Called when a phase is ready to start and no request is in flight; the first request is sent after the
   * returned promise resolves, and at the time that it resolves with, in Unix ns. Use the callback to take a baseline of
   * the server's metrics. Must not reject.
   */
  readonly beforePhase?: (phase: PhaseName) => Promise<bigint | void>;
}

/** Progress of a phase: the phase has started, has sent its last request, or has ended. */
export interface PhaseEvent {
  readonly phase: PhaseName;
  readonly kind: 'started' | 'sent' | 'ended';
  /** Time in ns since the run's origin. */
  readonly atNs: number;
}
