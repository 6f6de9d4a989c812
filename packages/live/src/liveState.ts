import type { StageProgress } from './phaseProgress.ts';
import type { Quantiles } from './quantileSketch.ts';

/** A value per reading, oldest first; null where it is unknown. At most 60. */
export type Points = readonly (number | null)[];

/** A rate or a level. Fields are undefined while they are unknown. */
export interface LiveLevel {
  readonly now: number | undefined;
  readonly points: Points;
}

/** A latency, in milliseconds. Fields are undefined while they are unknown. */
export interface LiveLatency extends LiveLevel {
  /** The percentiles of what ended in the last 60 readings. */
  readonly recent: Quantiles | undefined;
  /** The percentiles of what ended in the phase so far. */
  readonly total: Quantiles | undefined;
}

/** The latencies of both sides. */
export interface LiveLatencies {
  readonly timeToFirstToken: LiveLatency;
  readonly interTokenLatency: LiveLatency;
  readonly requestLatency: LiveLatency;
}

/** The limit of a goodput rule. */
export interface LiveLimit {
  readonly tag: string;
  readonly limit: number;
  readonly moreIsBetter: boolean;
}

/** The values that the load generator measured in its active phase. */
export interface ClientState extends LiveLatencies {
  /** Requests that ended per second. */
  readonly requests: LiveLevel;
  readonly outputTokens: LiveLevel;
  readonly inFlight: LiveLevel;
  /** The planned number of requests; undefined if the phase ends by time. */
  readonly planned: number | undefined;
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Share of the requests of the phase that meet all limits; undefined without limits and without requests. */
  readonly goodShare: number | undefined;
  readonly limits: readonly LiveLimit[];
}

/** The values that the servers report, combined over all endpoints that respond. */
export interface ServerState extends LiveLatencies {
  readonly requests: LiveLevel;
  readonly outputTokens: LiveLevel;
  readonly promptTokens: LiveLevel;
  readonly running: LiveLevel;
  /** The number of requests that fit in the batch of an engine; undefined if the server does not report it. */
  readonly maxRunning: number | undefined;
  readonly waiting: LiveLevel;
  /** Used share of the KV cache, of the fullest engine. */
  readonly kvCache: LiveLevel;
  /** Share of the tokens of prompts that were found in the prefix cache in the last 60 readings. */
  readonly cacheHitShare: number | undefined;
  /** Preemptions and failed requests since the first reading; undefined if the server does not report them. */
  readonly preemptions: number | undefined;
  readonly failures: number | undefined;
}

/** An endpoint of the run. */
export interface EndpointState {
  /** Name of the pod or, without a label `pod`, host and port. */
  readonly host: string;
  /** The kinds of servers, such as vLLM. */
  readonly servers: readonly string[];
  /** True if the values of the endpoint are current. If not, `ServerState` does not contain the endpoint. */
  readonly isCurrent: boolean;
  /** Seconds since the last successful scrape; undefined before it. */
  readonly ageSeconds: number | undefined;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
  readonly running: number | undefined;
  readonly waiting: number | undefined;
  readonly kvCache: number | undefined;
  readonly requests: number | undefined;
}

/** The state of an active run, of at most 60 readings. */
export interface LiveState {
  readonly stage: StageProgress;
  /** Undefined if the run sends no requests. */
  readonly client: ClientState | undefined;
  readonly server: ServerState;
  readonly endpoints: readonly EndpointState[];
  /** Names the endpoints that do not respond; undefined if all respond. */
  readonly unresponsive: string | undefined;
}
