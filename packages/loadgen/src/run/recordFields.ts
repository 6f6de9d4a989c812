import { type Failure, failure } from '../failure.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Arrivals, TokenCounts, TraceTimes, Traffic } from '../requestRecord.ts';
import type { Answer } from '../response/response.ts';
import type { Counted } from '../tokens/counter.ts';

/** The steps of an exchange. */
export function traceOf(exchange: Exchange): TraceTimes {
  const { startNs, sendStartNs, sendEndNs, firstByteNs, lastByteNs, connect } = exchange;
  const connectEndNs = connect?.securedNs ?? connect?.connectedNs;
  return {
    startNs,
    blockedEndNs: sendStartNs === undefined ? undefined : exchange.begunNs,
    lookupStartNs: connect?.lookupStartNs,
    lookupEndNs: connect?.lookupEndNs,
    connectStartNs: connect ? (connect.lookupEndNs ?? connect.startNs) : undefined,
    connectEndNs,
    tlsStartNs: connect?.securedNs === undefined ? undefined : connect.connectedNs,
    sendStartNs,
    sendEndNs,
    firstByteNs,
    lastByteNs,
  };
}

export function trafficOf(exchange: Exchange, requestBytes: number): Traffic {
  const { bytesSent, bytesReceived, bodyBytes, reads } = exchange;
  return { bytesSent, bytesReceived, requestBytes, responseBytes: bodyBytes, reads };
}

/** When the pieces of an answer arrived, and their tokens as far as they were counted. */
export function arrivalsOf({ text }: Answer, counted: Counted | undefined): Arrivals {
  const timesNs = text.times;
  const tokens = counted?.pieces ?? new Uint32Array(timesNs.length);
  return { timesNs, tokens, kinds: text.kinds, pieces: text.pieces };
}

/** What is wrong with an answer that came: what was found while reading it, or that there is nothing in it. */
export function failureIn(answer: Answer): Failure | undefined {
  if (answer.failure) return answer.failure;
  if (answer.text.pieces > 0 || answer.vectors > 0) return undefined;
  return failure('EmptyAnswer', 'the answer holds no content');
}

/** No counts at all. */
export const NO_COUNTS: TokenCounts = { input: undefined, output: undefined, reasoning: undefined };

/** The server's counts in the same form: its completion tokens include those of reasoning. */
export function reported({ usage }: Answer): TokenCounts {
  if (!usage) return NO_COUNTS;
  const { promptTokens, completionTokens, reasoningTokens } = usage;
  return {
    input: promptTokens,
    output:
      completionTokens === undefined ? undefined : Math.max(0, completionTokens - (reasoningTokens ?? 0)),
    reasoning: reasoningTokens,
  };
}
