import { randomUUID } from 'node:crypto';
import { hashText } from '@org/core';
import { readChatInput } from '../endpoint/chatInput.ts';
import type { HttpRequest } from '../http/exchange.ts';
import type { Turn } from '../input/conversation.ts';
import { InFlightRequest, type RequestContext } from './inFlightRequest.ts';
import type { CancellationOptions, ConnectionReuse, LoadOptions } from './loadOptions.ts';
import type { EndedRequestInfo } from './recordBuilder.ts';
import type { ScheduledRequest, Session } from './session.ts';
import { selectContent, storesResponses } from './storedResponses.ts';
import {
  buildBody,
  buildHeaders,
  parseAddresses,
  selectModel,
  type Target,
  type TargetAddress,
} from './target.ts';

const DEFAULT_TIMEOUT_S = 21_600;
/** The header that identifies the session of a request. */
export const DEFAULT_SESSION_HEADER = 'x-correlation-id';
/** The header that routers read to send all requests of a session to the same server. */
export const AFFINITY_HEADER = 'x-session-affinity';

/** Builds and sends the requests of a run. */
export class RequestSender {
  readonly #context: RequestContext;
  readonly #target: Target;
  readonly #addresses: readonly TargetAddress[];
  readonly #headers: readonly string[];
  /** True if the headers contain `Authorization`, which takes precedence over credentials in URLs. */
  readonly #hasAuthorization: boolean;
  readonly #findCancelDelay: CancellationRule;
  readonly #timeoutMs: number;
  readonly #connectionReuse: ConnectionReuse;
  readonly #sessionHeader: string;
  readonly #seed: number;
  readonly #appliesChatTemplate: boolean;
  readonly #storesResponses: boolean;

  /** Throws RangeError for invalid options. */
  constructor(
    options: Pick<
      LoadOptions,
      'target' | 'timeoutS' | 'connectionReuse' | 'cancellation' | 'seed' | 'appliesChatTemplate'
    >,
    context: RequestContext,
  ) {
    const { target, timeoutS = DEFAULT_TIMEOUT_S, connectionReuse = 'pooled', seed = 0 } = options;
    this.#context = context;
    this.#target = target;
    this.#addresses = parseAddresses(target, context.endpoint);
    this.#headers = buildHeaders({ ...target, streaming: context.streaming }, context.endpoint);
    this.#hasAuthorization = this.#headers.some(name => name.toLowerCase() === 'authorization');
    this.#findCancelDelay = createCancellationRule(options.cancellation, seed);
    if (!(timeoutS > 0)) throw new RangeError(`timeoutS is ${timeoutS}; expected a number greater than 0`);
    this.#timeoutMs = timeoutS * 1000;
    this.#connectionReuse = connectionReuse;
    this.#sessionHeader = target.sessionHeader ?? DEFAULT_SESSION_HEADER;
    this.#seed = seed;
    this.#appliesChatTemplate = options.appliesChatTemplate ?? false;
    this.#storesResponses = storesResponses(context.endpoint, target);
  }

  /**
   * Sends a request now. `onEnd` is called when it has ended, and `onFirstToken` when its first token has arrived. All
   * requests of a session are sent to the same URL.
   */
  send(
    { phase, index, session, intendedNs }: ScheduledRequest,
    onEnd: (ended: EndedRequestInfo) => void,
    onFirstToken?: () => void,
  ): InFlightRequest {
    const urlIndex = session.number % this.#addresses.length;
    const address = this.#addresses[urlIndex]!;
    const requestId = randomUUID();
    const { current: turn, turn: turnIndex } = session;
    const model = turn.model ?? selectModel(this.#target, session.number, this.#seed);
    const uncounted = session.findUncounted();
    const context = this.#selectContext(turn);
    const { endpoint, streaming } = context;
    const { target, messages } = selectContent(session, this.#target, this.#storesResponses);
    const { bytes, fields, requestedOutput } = buildBody(endpoint, target, model, messages, turn);
    const request = {
      origin: address.origin,
      path: address.path,
      headers: [
        ...this.#headers,
        ...this.#authorize(address),
        ...this.#createIdHeaders(requestId, session.correlationId),
      ],
      body: bytes,
      timeoutMs: this.#timeoutMs,
      ...this.#describeConnection(session),
    };
    const cancelAfterMs = this.#findCancelDelay(session.number, turnIndex);
    const onRequestEnd = (ended: InFlightRequest): void => {
      // A session ends with its first failure.
      if (ended.outcome !== 'succeeded') context.pool.closeSession(session.correlationId);
      onEnd({
        request: ended,
        session,
        turn: turnIndex,
        phase,
        index,
        requestId,
        url: address.url,
        urlIndex,
        model,
        intendedNs,
        requestBytes: bytes.length,
        requestedOutput,
        streaming,
        uncounted,
        chat: this.#appliesChatTemplate ? readChatInput(fields) : undefined,
        hasContext: endpoint.sendsHistory && session.sendsHistory && turn.isComplete !== true,
        inputText: turn.text,
        sent: this.#context.keepRaw
          ? { headers: request.headers, payload: endpoint.isForm ? JSON.stringify(fields) : bytes.toString() }
          : undefined,
      });
    };
    const listener = { onEnd: onRequestEnd, onFirstToken };
    return new InFlightRequest(context, request, cancelAfterMs, listener);
  }

  #describeConnection(
    session: Session,
  ): Pick<HttpRequest, 'canReuseConnection' | 'keepsConnection' | 'session'> {
    const canReuseConnection = this.#connectionReuse !== 'never';
    if (this.#connectionReuse !== 'sticky-user-sessions')
      return { canReuseConnection, keepsConnection: canReuseConnection, session: undefined };
    return { canReuseConnection, keepsConnection: !session.isLastTurn, session: session.correlationId };
  }

  #createIdHeaders(requestId: string, correlationId: string): string[] {
    return ['x-request-id', requestId, this.#sessionHeader, correlationId, AFFINITY_HEADER, correlationId];
  }

  /** Returns the context of a request: a recorded body determines whether the response is streamed. */
  #selectContext({ payload }: Turn): RequestContext {
    const streaming = payload === undefined ? this.#context.streaming : payload.stream === true;
    return streaming === this.#context.streaming ? this.#context : { ...this.#context, streaming };
  }

  #authorize({ authorization }: TargetAddress): string[] {
    return authorization === undefined || this.#hasAuthorization ? [] : ['authorization', authorization];
  }
}

/** Returns the delay between sending a turn and cancelling it, in ms; undefined if it is not cancelled. */
export type CancellationRule = (session: number, turn: number) => number | undefined;

/**
 * Creates the rule that selects the requests to cancel. The selection depends only on the seed and the turn,
 * not on the order of requests. Throws RangeError for invalid options.
 */
export function createCancellationRule(
  options: CancellationOptions | undefined,
  seed: number,
): CancellationRule {
  if (!options) return () => undefined;
  const { percent, delayS = 0 } = options;
  if (!(percent >= 0 && percent <= 100))
    throw new RangeError(`cancellation: percent is ${percent}; expected a number from 0 to 100`);
  if (!(delayS >= 0))
    throw new RangeError(`cancellation: delayS is ${delayS}; expected a number of at least 0`);
  return (session, turn) =>
    hashText(`cancellation ${session} ${turn}`, seed) / 2 ** 32 < percent / 100 ? delayS * 1000 : undefined;
}
