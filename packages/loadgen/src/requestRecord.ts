import type { EndpointName } from './endpoint/endpoint.ts';
import type { Failure } from './failure.ts';
import type { Speculation } from './response/speculation.ts';
import type { Usage } from './response/usage.ts';

/** A phase of a run. */
export type PhaseName = 'warmup' | 'profiling';

/** The outcome of a request. Every request has exactly one. */
export type Outcome = 'succeeded' | 'failed' | 'cancelled';

/** Returns the outcome of a request. */
export function getOutcome({ failure, cancelled }: Pick<RequestRecord, 'failure' | 'cancelled'>): Outcome {
  if (cancelled) return 'cancelled';
  return failure ? 'failed' : 'succeeded';
}

/** The origin of token counts: the client's tokenizer, or the usage reported by the server. */
export type TokenSource = 'server' | 'client';

/** Times of the steps of one HTTP request, in ns since the run's origin; undefined for steps that did not happen. */
export interface TraceTimes {
  /** When the request was handed to the HTTP layer. */
  readonly startNs: number;
  /**
   * End of the wait for a pooled connection: the start of connecting, or of sending if a connection was
   * available.
   */
  readonly blockedEndNs: number | undefined;
  readonly lookupStartNs: number | undefined;
  readonly lookupEndNs: number | undefined;
  /** Start of TCP and TLS, after the DNS lookup. */
  readonly connectStartNs: number | undefined;
  readonly connectEndNs: number | undefined;
  /** Start of the TLS handshake, which ends at `connectEndNs`. */
  readonly tlsStartNs: number | undefined;
  readonly sendStartNs: number | undefined;
  readonly sendEndNs: number | undefined;
  /** Arrival of the response headers. */
  readonly firstByteNs: number | undefined;
  readonly lastByteNs: number | undefined;
}

/** Amounts of data transferred for one HTTP request. */
export interface Traffic {
  /** Bytes written to and read from the socket, including headers but not TLS. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Sizes of the request and response bodies, in bytes. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Number of socket reads of the response body. */
  readonly reads: number;
}

/** Token counts of one request from one source; undefined where that source has no count. */
export interface TokenCounts {
  readonly input: number | undefined;
  /** Output tokens without reasoning. */
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/**
 * Arrival times of a response's content. The arrays have one entry per piece: the output or the reasoning of
 * one chunk.
 */
export interface Arrivals {
  /** Times in ns since the run's origin. */
  readonly timesNs: Float64Array;
  /**
   * Token count of each piece, counted separately; 0 if not counted. The sum may differ from the count of the
   * whole text.
   */
  readonly tokens: Uint32Array;
  /** 0 for output, 1 for reasoning, 2 for output from the same chunk as the reasoning before it. */
  readonly kinds: Uint8Array;
  /** Number of pieces received. The arrays contain at most the first 2^20. */
  readonly pieces: number;
}

/** A part of a response as received: an event of a stream, or a complete body. */
export interface RawMessage {
  /** Arrival of its last byte, in ns since the run's origin. */
  readonly atNs: number;
  /** Name of an event; undefined for a complete body, and for an event without a name. */
  readonly event: string | undefined;
  /** Data of an event, or the body. */
  readonly text: string;
}

/** A request and its response as sent and received. */
export interface RawExchange {
  /** Body of the request, as JSON. */
  readonly payload: string;
  /** Headers of the request, as alternating names and values. */
  readonly headers: readonly string[];
  /** Content type of the response; undefined if the response failed before its body. */
  readonly contentType: string | undefined;
  /** Empty for a response that is an error. */
  readonly messages: readonly RawMessage[];
}

/**
 * The measurements of one request. Times are whole ns since the run's origin (convert with `toWallNs`);
 * undefined for events that did not happen.
 */
export interface RequestRecord {
  readonly phase: PhaseName;
  /** Number of the request within its phase, from 0, in send order; numbers of other shards are skipped. */
  readonly index: number;
  /** Sent as `X-Request-ID`. */
  readonly requestId: string;
  /** Shared by all turns of a session; sent as `X-Correlation-ID`. */
  readonly correlationId: string;
  /** Number of the session within its phase, from 0. */
  readonly session: number;
  readonly conversationId: string;
  /** Number of the turn within the conversation, from 0. */
  readonly turn: number;
  /** Number of turns in the conversation. */
  readonly turns: number;
  readonly workerId: string;
  readonly endpoint: EndpointName;
  readonly streaming: boolean;
  /** Base URL that the request was sent to. */
  readonly url: string;
  /** The place of `url` in the list of URLs. */
  readonly urlIndex: number;
  readonly model: string;
  /** The model name reported by the server. */
  readonly servedModel: string | undefined;
  /** The request id assigned by the server, such as `chatcmpl-…`. */
  readonly servedId: string | undefined;

  /** Intended send time: in open loop, the scheduled time; in closed loop, when a concurrency slot became free. */
  readonly intendedNs: number;
  /**
   * Start of connecting, or of sending if a connection was already open. All latencies are measured from this
   * time.
   */
  readonly startNs: number;
  /** Arrival of the first piece of content, of any kind. */
  readonly firstTokenNs: number | undefined;
  /** Arrival of the first piece that is not reasoning. */
  readonly firstOutputNs: number | undefined;
  /** Arrival of the last piece of content; for vectors, scores and images, the end of the response. */
  readonly lastTokenNs: number | undefined;
  /** When the request ended. */
  readonly endNs: number;
  readonly trace: TraceTimes;
  readonly traffic: Traffic;
  readonly connectionReused: boolean;
  /** True if the request was sent again because the server had closed the idle connection. */
  readonly resent: boolean;

  readonly status: number | undefined;
  /** The server's Unix time in the `Date` header, in ms, rounded down to a second; absent without the header. */
  readonly serverTimeMs?: number;
  readonly finishReason: string | undefined;
  /**
   * True if a stream ended without [DONE], finish_reason or usage, and no earlier stream from its server had
   * any of them. Such a stream counts as successful, but may have been truncated.
   */
  readonly missingEndMarker: boolean;
  /** The reason of a failure or a cancellation; undefined if the request succeeded. */
  readonly failure: Failure | undefined;
  /** True if the client cancelled the request, which is then not a failure. */
  readonly cancelled: boolean;
  readonly cancelledNs: number | undefined;

  readonly arrivals: Arrivals;
  /** Requested maximum response length, in tokens. */
  readonly requestedOutput: number | undefined;
  /** Token counts from the client's tokenizer; all undefined without a tokenizer. */
  readonly counted: TokenCounts;
  /** Present if the tokens of the input should have been counted with the chat template, which was not possible. */
  readonly templateProblem?: string;
  /** Token counts reported by the server. */
  readonly usage: Usage | undefined;
  /** Completion tokens that the first chunk with content reported, if they were requested for each chunk. */
  readonly firstChunkTokens?: number | undefined;
  /** Speculative decoding of the request, if the server reported it. */
  readonly speculation: Speculation | undefined;
  /** Prompt and response; undefined unless `LoadOptions.keepText` is set. */
  readonly text: { readonly input: string; readonly output: string; readonly reasoning: string } | undefined;
  /** Present if `LoadOptions.keepRaw` is set. */
  readonly raw: RawExchange | undefined;
}
