/** A count of the client's beside that of the servers. */
export interface ComparedCount {
  readonly client: number;
  readonly server: number;
  /** server − client */
  readonly difference: number;
}

export interface ComparedRequests extends ComparedCount {
  /** Requests that the client sent in vain, hang-ups of its own among them. */
  readonly client_failed: number;
  readonly client_cancelled: number;
  /** Requests that ended on the servers without an answer; they are not in `server`. */
  readonly server_unfinished: number;
}

export interface ComparedTokens extends ComparedCount {
  /** Who counted for the client: the answers' `usage`, or the name of a tokenizer. */
  readonly client_source: string;
}

/** A latency of the client's beside the servers' own. Times in ms; means are exact, the servers' percentiles estimates. */
export interface ComparedLatency {
  readonly metric: string;
  readonly server_metric: string;
  readonly client_avg_ms: number;
  readonly server_avg_ms: number;
  /** client − server: network, whatever stands between, and what both spend outside the servers' measurement. */
  readonly outside_avg_ms: number;
  /** The same as a share of the client's. */
  readonly outside_share: number;
  readonly client_p50_ms?: number;
  readonly server_p50_estimate_ms?: number;
  readonly client_p99_ms?: number;
  readonly server_p99_estimate_ms?: number;
}

export interface Queueing {
  readonly server_metric: string;
  readonly avg_ms: number;
  /** Of the client's mean request latency. */
  readonly share: number;
}

export type ReconciliationKind =
  | 'foreign_traffic'
  | 'warmup_leakage'
  | 'answers_lost'
  | 'requests_missing'
  | 'replicas_mixed'
  | 'tokens_differ'
  | 'server_busy_at_start'
  | 'counters_reset';

/** Something in which client and servers do not agree, and what it means. */
export interface ReconciliationFinding {
  readonly kind: ReconciliationKind;
  readonly message: string;
  readonly count?: number;
}

/** Client against servers in the profiling period. */
export interface Reconciliation {
  /** The kind of server, as the reader calls it. */
  readonly server: string;
  readonly requests?: ComparedRequests;
  readonly prompt_tokens?: ComparedTokens;
  readonly generation_tokens?: ComparedTokens;
  readonly latencies: readonly ComparedLatency[];
  readonly queue?: Queueing;
  /** Requests that the servers were at when profiling began and ended; nothing of ours was under way. */
  readonly running_at_start?: number;
  readonly running_at_end?: number;
  readonly requests_by_endpoint?: readonly { readonly endpoint_url: string; readonly requests: number }[];
  readonly findings: readonly ReconciliationFinding[];
}
