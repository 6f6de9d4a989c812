import type { RequestRecord } from '@org/loadgen';
import type { Truth } from './truth.ts';
import type { WireExchange } from './wire.ts';

/** What is measured of one request, ns. */
export interface Times {
  readonly ttft: number;
  readonly itl: number;
  readonly latency: number;
}

/** An error that counts for nothing: 1 ms, or 1 % of what really was. */
const TOLERATED_NS = 1e6;
const TOLERATED_SHARE = 0.01;

/** By the client, from a beginning: when the request began, or when it was sent over a connection that was there. */
export function clientTimes({ firstTokenNs, lastTokenNs, arrivals }: RequestRecord, beginNs: number): Times {
  return times(firstTokenNs! - beginNs, lastTokenNs! - beginNs, arrivals.pieces);
}

/** By the simulator: from when the request lay in its socket to its writing of the tokens. */
export function truthTimes({ receivedNs, firstWrittenNs, lastWrittenNs, outputTokens }: Truth): Times {
  return times(firstWrittenNs - receivedNs, lastWrittenNs - receivedNs, outputTokens);
}

/** By the kernel: from a packet to the packets of the tokens. */
export function wireTimes({ tokensNs }: WireExchange, beginNs: bigint): Times {
  return times(Number(tokensNs[0]! - beginNs), Number(tokensNs.at(-1)! - beginNs), tokensNs.length);
}

/** Whether a measurement is close enough to what really was. */
export function isClose(measuredNs: number, realNs: number): boolean {
  return Math.abs(measuredNs - realNs) <= Math.max(TOLERATED_NS, TOLERATED_SHARE * realNs);
}

function times(ttft: number, latency: number, tokens: number): Times {
  return { ttft, itl: (latency - ttft) / Math.max(1, tokens - 1), latency };
}
