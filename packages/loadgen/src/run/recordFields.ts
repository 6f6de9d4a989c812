import type { Exchange } from '../http/exchange.ts';
import type { Arrivals, TokenCounts, TraceTimes, Traffic } from '../requestRecord.ts';
import type { ParsedResponse } from '../response/response.ts';
import type { ResponseContent } from '../response/responseContent.ts';
import type { CountResult } from '../tokens/counter.ts';

/** Returns the times of the steps of an exchange. */
export function readTraceTimes(exchange: Exchange): TraceTimes {
  const { startNs, sendStartNs, sendEndNs, firstByteNs, lastByteNs, connect } = exchange;
  const connectEndNs = connect?.securedNs ?? connect?.connectedNs;
  return {
    startNs,
    blockedEndNs: sendStartNs === undefined ? undefined : exchange.wireStartNs,
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

/** Returns the amounts of data transferred in an exchange. */
export function readTraffic(exchange: Exchange, requestBytes: number): Traffic {
  const { bytesSent, bytesReceived, bodyBytes, reads } = exchange;
  return { bytesSent, bytesReceived, requestBytes, responseBytes: bodyBytes, reads };
}

/** Returns the arrival of a response's pieces, with their tokens if they were counted. */
export function readArrivals(content: ResponseContent, result: CountResult | undefined): Arrivals {
  const timesNs = content.times;
  const tokens = result?.pieces ?? new Uint32Array(timesNs.length);
  return { timesNs, tokens, kinds: content.kinds, pieces: content.pieces };
}

/** Token counts of a request that was not counted. */
export const NO_COUNTS: TokenCounts = { input: undefined, output: undefined, reasoning: undefined };

/** Returns the server's token counts. Its completion tokens include reasoning tokens. */
export function readServerCounts({ usage }: ParsedResponse): TokenCounts {
  if (!usage) return NO_COUNTS;
  const { promptTokens, completionTokens, reasoningTokens } = usage;
  return {
    input: promptTokens,
    output:
      completionTokens === undefined ? undefined : Math.max(0, completionTokens - (reasoningTokens ?? 0)),
    reasoning: reasoningTokens,
  };
}
