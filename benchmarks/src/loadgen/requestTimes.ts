import type { RequestRecord } from '@org/loadgen';
import type { RequestTruth } from './simulatorTruth.ts';
import type { WireExchange } from './wireExchange.ts';

/** Time to first token, inter-token latency and total latency of a request, in nanoseconds. */
export interface RequestTimes {
  readonly ttft: number;
  readonly itl: number;
  readonly latency: number;
}

/** Tolerance of a measurement: 1 ms or 1% of the true value, whichever is larger. */
const TOLERANCE_NS = 1e6;
const TOLERANCE_SHARE = 0.01;

/** Computes the times that the client measured, from `startNs`. */
export function computeClientTimes(
  { firstTokenNs, lastTokenNs, arrivals }: RequestRecord,
  startNs: number,
): RequestTimes {
  return toRequestTimes(firstTokenNs! - startNs, lastTokenNs! - startNs, arrivals.pieces);
}

/**
 * Computes the times that the simulator recorded, from the arrival of the request in its socket to the writes
 * of the tokens.
 */
export function computeTruthTimes({
  receivedNs,
  firstWrittenNs,
  lastWrittenNs,
  outputTokens,
}: RequestTruth): RequestTimes {
  return toRequestTimes(firstWrittenNs - receivedNs, lastWrittenNs - receivedNs, outputTokens);
}

/** Computes the times that were captured, from `startNs` to the packets of the tokens. */
export function computeWireTimes({ tokensNs }: WireExchange, startNs: bigint): RequestTimes {
  return toRequestTimes(Number(tokensNs[0]! - startNs), Number(tokensNs.at(-1)! - startNs), tokensNs.length);
}

/** Reports whether a measured time is within the tolerance. */
export function isWithinTolerance(measuredNs: number, trueNs: number): boolean {
  return Math.abs(measuredNs - trueNs) <= Math.max(TOLERANCE_NS, TOLERANCE_SHARE * trueNs);
}

function toRequestTimes(ttft: number, latency: number, tokens: number): RequestTimes {
  return { ttft, itl: (latency - ttft) / Math.max(1, tokens - 1), latency };
}
