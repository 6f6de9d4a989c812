import type { EndpointName } from './endpoint/endpoint.ts';
import type { Failure } from './failure.ts';
import type { Usage } from './response/usage.ts';

/** The part of a run to which a request belongs. */
export type PhaseName = 'warmup' | 'profiling';

/** Who counted tokens: a tokenizer of the client's, by its name, or the server. */
export type TokenSource = 'server' | 'client';

/** Steps of one HTTP request, ns of the run; undefined for what did not happen. */
export interface TraceTimes {
  /** When the request was handed to the HTTP layer. */
  readonly startNs: number;
  /** Until here it waited for a connection of the pool: then connecting began, or sending. */
  readonly blockedEndNs: number | undefined;
  readonly lookupStartNs: number | undefined;
  readonly lookupEndNs: number | undefined;
  /** TCP and TLS; lookup stands apart. */
  readonly connectStartNs: number | undefined;
  readonly connectEndNs: number | undefined;
  /** The part of connecting that was TLS. */
  readonly tlsStartNs: number | undefined;
  readonly sendStartNs: number | undefined;
  readonly sendEndNs: number | undefined;
  /** When the head of the answer was there. */
  readonly firstByteNs: number | undefined;
  readonly lastByteNs: number | undefined;
}

/** What one HTTP request moved. */
export interface Traffic {
  /** Bytes written to and read from the socket, heads included; TLS not counted. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Bytes of the bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Reads in which the answer's body came. */
  readonly reads: number;
}

/** Tokens of one request as one side counted them; undefined where that side did not say. */
export interface TokenCounts {
  readonly input: number | undefined;
  /** Without reasoning. */
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** When the content of an answer arrived. The arrays have one entry for each piece: a chunk of the stream with content. */
export interface Arrivals {
  /** ns of the run. */
  readonly timesNs: Float64Array;
  /** Tokens of each piece counted by itself; 0 where nothing was counted. They need not add up to the tokens of the whole. */
  readonly tokens: Uint32Array;
  /** 1 where the piece is reasoning, 0 where it is output, 2 where it is output of the same chunk as the reasoning before it. */
  readonly kinds: Uint8Array;
  /** Pieces that came; above 2^20 not all of them are in the arrays. */
  readonly pieces: number;
}

/**
 * One request and what was measured of it. Times are whole ns since the run's origin (`wallNs` makes wall times of them);
 * undefined for what did not happen.
 */
export interface RequestRecord {
  readonly phase: PhaseName;
  /** Number of the request within its phase, from 0, in the order of sending. */
  readonly index: number;
  /** Sent as `X-Request-ID`. */
  readonly requestId: string;
  /** One for all turns of a session; sent as `X-Correlation-ID`. */
  readonly correlationId: string;
  /** Number of the session within its phase, from 0. */
  readonly session: number;
  readonly conversationId: string;
  /** Turn within the conversation, from 0. */
  readonly turn: number;
  readonly turns: number;
  readonly workerId: string;
  readonly endpoint: EndpointName;
  readonly streaming: boolean;
  /** The base URL that it went to. */
  readonly url: string;
  readonly model: string;
  /** The model as the server named it. */
  readonly servedModel: string | undefined;
  /** The server's name for the request: `chatcmpl-…`. */
  readonly servedId: string | undefined;

  /** When it was to be sent: by the clock in open loop, when a place became free in closed loop. */
  readonly intendedNs: number;
  /** When it was sent, or connecting for it began: the beginning of all latencies. */
  readonly startNs: number;
  /** First piece of content, of whatever kind. */
  readonly firstTokenNs: number | undefined;
  /** First piece that is not reasoning. */
  readonly firstOutputNs: number | undefined;
  /** Last piece of content; for embeddings the whole answer. */
  readonly lastTokenNs: number | undefined;
  /** When all was over. */
  readonly endNs: number;
  readonly trace: TraceTimes;
  readonly traffic: Traffic;
  readonly connectionReused: boolean;
  /** The server gave up an idle connection as the request took it, and it was sent once more. */
  readonly resent: boolean;

  readonly status: number | undefined;
  readonly finishReason: string | undefined;
  /**
   * Whether it is a stream that ended without [DONE], a finish_reason or usage, from a server that had said none of them in
   * the run: it counts as answered, and may have been cut off.
   */
  readonly silentEnd: boolean;
  /** undefined for a request that succeeded. */
  readonly failure: Failure | undefined;
  readonly cancelled: boolean;
  readonly cancelledNs: number | undefined;

  readonly arrivals: Arrivals;
  /** Answer length asked for, tokens. */
  readonly requestedOutput: number | undefined;
  /** What the client's tokenizer counted; all undefined without one. */
  readonly counted: TokenCounts;
  /** What the server reported. */
  readonly usage: Usage | undefined;
  /** The counts that stand for this request, and who counted: see `TokenCounting`. */
  readonly tokens: TokenCounts & { readonly source: TokenSource };
  /** What was said, when texts are kept. */
  readonly text: { readonly input: string; readonly output: string; readonly reasoning: string } | undefined;
}
