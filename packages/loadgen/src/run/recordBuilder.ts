import type { ChatInput } from '../endpoint/chatInput.ts';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type {
  Arrivals,
  PhaseName,
  RawExchange,
  RequestRecord,
  TokenCounts,
  TraceTimes,
  Traffic,
} from '../requestRecord.ts';
import { PIECE_OUTPUT, PIECE_REASONING, type ResponseContent } from '../response/responseContent.ts';
import type { CountResult, TokenCounter } from '../tokens/counter.ts';
import type { InFlightRequest } from './inFlightRequest.ts';
import type { Session } from './session.ts';

/** A request that has ended, and the parameters it was sent with. */
export interface EndedRequestInfo {
  readonly request: InFlightRequest;
  readonly session: Session;
  readonly turn: number;
  readonly phase: PhaseName;
  readonly index: number;
  readonly requestId: string;
  readonly url: string;
  readonly urlIndex: number;
  readonly model: string;
  readonly intendedNs: number;
  readonly requestBytes: number;
  readonly requestedOutput: number | undefined;
  /** True if a streamed response was requested. */
  readonly streaming: boolean;
  /** Prompt texts whose tokens must be counted, and the number of prompt tokens that need no counting. */
  readonly uncounted: { readonly texts: readonly string[]; readonly knownTokens: number };
  /** The messages to count with the chat template; undefined if they are not. */
  readonly chat: ChatInput | undefined;
  /** True if the request includes the earlier messages of the conversation. */
  readonly hasContext: boolean;
  readonly inputText: string;
  /** The request as sent; undefined unless it is kept. */
  readonly sent: Pick<RawExchange, 'headers' | 'payload'> | undefined;
}

/** Options of {@link RecordBuilder}. */
export interface RecordBuilderOptions {
  readonly counter: TokenCounter | undefined;
  readonly workerId: string;
  readonly endpoint: EndpointName;
  readonly keepText: boolean;
  /** True if the server's token counts were requested for each chunk; false by default. */
  readonly chunkUsage?: boolean;
  readonly onRecord: (record: RequestRecord) => void;
}

/**
 * Builds a record of each request after counting its tokens in the background. Records are delivered in
 * end-time order.
 */
export class RecordBuilder {
  readonly #options: RecordBuilderOptions;
  #lastDelivery: Promise<void> = Promise.resolve();

  constructor(options: RecordBuilderOptions) {
    this.#options = options;
  }

  /** Adds a request that has ended. Its record is delivered once its tokens are counted. */
  add(ended: EndedRequestInfo): void {
    const { counter } = this.#options;
    if (!counter) {
      this.#options.onRecord(this.#build(ended, undefined));
      return;
    }
    const { content } = ended.request.response;
    const counting = counter.count({
      inputs: ended.uncounted.texts,
      ...(ended.chat ? { chat: ended.chat } : {}),
      pieces: content.texts,
      kinds: content.kinds,
    });
    this.#lastDelivery = this.#lastDelivery.then(async () => {
      // If counting fails, deliver the record without counts.
      const result = await counting.catch(() => undefined);
      this.#options.onRecord(this.#build(ended, result));
    });
  }

  /** Resolves when all records are delivered. */
  async flush(): Promise<void> {
    await this.#lastDelivery;
  }

  #build(ended: EndedRequestInfo, result: CountResult | undefined): RequestRecord {
    const { request, session, phase, index, requestId, url, urlIndex, model, intendedNs, turn } = ended;
    const { response, exchange } = request;
    const { workerId, endpoint, keepText, chunkUsage = false } = this.#options;
    const { content } = response;
    const counted = result ? this.#addContext(ended, result) : NO_COUNTS;
    return {
      phase,
      index,
      requestId,
      correlationId: session.correlationId,
      session: session.number,
      conversationId: session.conversation.id,
      turn,
      turns: session.conversation.turns.length,
      workerId,
      endpoint,
      streaming: ended.streaming,
      url,
      urlIndex,
      model,
      servedModel: response.model,
      servedId: response.id,
      intendedNs,
      startNs: exchange.wireStartNs,
      firstTokenNs: content.firstNs,
      firstOutputNs: content.firstOutputNs,
      lastTokenNs: content.lastNs ?? (response.results > 0 ? exchange.lastByteNs : undefined),
      endNs: exchange.endNs!,
      trace: readTraceTimes(exchange),
      traffic: readTraffic(exchange, ended.requestBytes),
      connectionReused: exchange.isReused,
      resent: exchange.isResent,
      status: exchange.status,
      ...readServerTime(exchange),
      finishReason: response.finishReason,
      missingEndMarker: response.missingEndMarker,
      failure: response.findFailure(),
      cancelled: request.outcome === 'cancelled',
      cancelledNs: request.cancelledNs,
      arrivals: readArrivals(content, result),
      requestedOutput: ended.requestedOutput,
      counted,
      ...(result?.chat && 'problem' in result.chat ? { templateProblem: result.chat.problem } : {}),
      usage: response.usage,
      ...(chunkUsage ? { firstChunkTokens: response.firstChunkTokens } : {}),
      speculation: response.speculation,
      text: keepText
        ? {
            input: ended.inputText,
            output: content.join(PIECE_OUTPUT),
            reasoning: content.join(PIECE_REASONING),
          }
        : undefined,
      raw: toRawExchange(ended),
    };
  }

  /**
   * Adds the tokens of earlier messages to the input, and the request's own tokens to the context of the next
   * turn. A count with the chat template includes all messages.
   */
  #addContext(
    { session, uncounted, hasContext }: EndedRequestInfo,
    { input, output, reasoning, chat }: CountResult,
  ): TokenCounts {
    const total = uncounted.knownTokens + input + (hasContext ? (session.contextTokens ?? 0) : 0);
    session.contextTokens = total + output;
    return { input: chat && 'tokens' in chat ? chat.tokens : total, output, reasoning };
  }
}

/** Returns the request and its response as sent and received; undefined unless they are kept. */
function toRawExchange({ sent, request: { response } }: EndedRequestInfo): RawExchange | undefined {
  const { contentType, rawMessages: messages = [] } = response;
  return sent && { ...sent, contentType, messages };
}

/** Returns the time of the server in the `Date` header of a response. */
function readServerTime({ date }: Exchange): Pick<RequestRecord, 'serverTimeMs'> {
  const serverTimeMs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(serverTimeMs) ? {} : { serverTimeMs };
}

/** Returns the times of the steps of an exchange. */
function readTraceTimes(exchange: Exchange): TraceTimes {
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
function readTraffic(exchange: Exchange, requestBytes: number): Traffic {
  const { bytesSent, bytesReceived, bodyBytes, reads } = exchange;
  return { bytesSent, bytesReceived, requestBytes, responseBytes: bodyBytes, reads };
}

/** Returns the arrival times of a response's pieces, with their token counts if they were counted. */
function readArrivals(content: ResponseContent, result: CountResult | undefined): Arrivals {
  const timesNs = content.times;
  const tokens = result?.pieces ?? new Uint32Array(timesNs.length);
  return { timesNs, tokens, kinds: content.kinds, pieces: content.pieces };
}

/** Token counts of a request whose tokens were not counted. */
const NO_COUNTS: TokenCounts = { input: undefined, output: undefined, reasoning: undefined };
