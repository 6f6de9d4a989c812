/** Reason why a request ended. */
export type FinishReason = 'stop' | 'length' | 'abort';

/** The properties of a client's request that the simulation uses. */
export interface RequestSpec {
  /** Prompt length in tokens, at least 1. */
  readonly promptTokens: number;
  /** Number of tokens to generate; 0 for embeddings and scores. */
  readonly outputTokens: number;
  /** `stop` if the model ends the response, `length` if the token limit is reached. */
  readonly finishReason: 'stop' | 'length';
  /** The `max_tokens` of the request, if set. */
  readonly maxTokens?: number;
  /** A prompt prefix that other requests may share, and that the prefix cache can hold. */
  readonly prefix?: { readonly id: string; readonly tokens: number };
  /** API of the request, for metrics by endpoint; a streamed chat completion by default. */
  readonly api?: { readonly endpoint: ApiEndpoint; readonly stream: boolean };
}

/** An API of the server. */
export type ApiEndpoint =
  | 'chat_completions'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'messages'
  | 'generate'
  | 'rerank';

/** Callbacks for the progress of one request. Times are in ns since the start of the simulation. */
export interface RequestWatcher {
  /** Called when token `index` (from 0) has been generated. */
  onToken?(index: number, atNs: number): void;
  onFinished?(request: Request): void;
}

/**
 * Times of an HTTP request in the server process, in ns since the start of the simulation: its arrival at the
 * socket, and the writes of the first and last token of its stream. If the server thread is busy, writes are
 * later than the engine's times; the last write may follow the end of the request in the engine. Times are NaN
 * until the event. Write times stay NaN for requests without a stream, and all times for embeddings and
 * background requests.
 */
export interface Delivery {
  /** The client's X-Request-ID header, if set. */
  clientId: string | undefined;
  receivedNs: number;
  firstWrittenNs: number;
  lastWrittenNs: number;
}

/** A request in the engine. Times are in ns since the start of the simulation; NaN until the event. */
export interface Request {
  readonly id: number;
  /** Index of the engine that serves the request. */
  readonly engine: number;
  readonly spec: RequestSpec;
  readonly watcher: RequestWatcher | undefined;
  readonly arrivalNs: number;
  /** When the frontend passed the request to the scheduler. */
  queuedNs: number;
  /** Time of the first admission to the batch. */
  scheduledNs: number;
  firstTokenNs: number;
  lastTokenNs: number;
  finishNs: number;
  readonly delivery: Delivery;
  finishReason: FinishReason | undefined;
  /** Number of tokens generated so far. */
  generated: number;
  /** Number of tokens whose keys and values are in the cache. */
  computed: number;
  /** Number of prompt tokens found in the prefix cache on first admission. */
  cachedTokens: number;
  preemptions: number;
  /** Number of cache blocks of the request, excluding its prefix. */
  blocks: number;
  /** ID of the cached prefix that the request holds. */
  prefixId: string | undefined;
  prefixBlocks: number;
  /** Number of tokens computed in the current step; 0 if the request is not part of the step. */
  stepTokens: number;
  /** True if the client disconnected during a step: the request leaves the batch at the end of the step. */
  isAborting: boolean;
}

/** Record of a request that has ended. Times are in ns since the start of the simulation. */
export type RequestRecord = Pick<
  Request,
  | 'id'
  | 'engine'
  | 'arrivalNs'
  | 'queuedNs'
  | 'scheduledNs'
  | 'firstTokenNs'
  | 'lastTokenNs'
  | 'finishNs'
  | 'cachedTokens'
  | 'preemptions'
> &
  Readonly<Delivery> & {
    readonly promptTokens: number;
    readonly outputTokens: number;
    readonly maxTokens: number | undefined;
    readonly finishReason: FinishReason;
  };

/** Creates a request that has just arrived. */
export function createRequest(
  id: number,
  engine: number,
  spec: RequestSpec,
  arrivalNs: number,
  watcher: RequestWatcher | undefined,
): Request {
  return {
    id,
    engine,
    spec,
    watcher,
    arrivalNs,
    queuedNs: Number.NaN,
    scheduledNs: Number.NaN,
    firstTokenNs: Number.NaN,
    lastTokenNs: Number.NaN,
    finishNs: Number.NaN,
    delivery: {
      clientId: undefined,
      receivedNs: Number.NaN,
      firstWrittenNs: Number.NaN,
      lastWrittenNs: Number.NaN,
    },
    finishReason: undefined,
    generated: 0,
    computed: 0,
    cachedTokens: 0,
    preemptions: 0,
    blocks: 0,
    prefixId: undefined,
    prefixBlocks: 0,
    stepTokens: 0,
    isAborting: false,
  };
}

/** Returns the record of a request that has ended, with its delivery so far. */
export function toRequestRecord(request: Request): RequestRecord {
  if (request.finishReason === undefined) throw new Error(`BUG: request ${request.id} has not ended`);
  return {
    id: request.id,
    engine: request.engine,
    arrivalNs: request.arrivalNs,
    queuedNs: request.queuedNs,
    scheduledNs: request.scheduledNs,
    firstTokenNs: request.firstTokenNs,
    lastTokenNs: request.lastTokenNs,
    finishNs: request.finishNs,
    ...request.delivery,
    promptTokens: request.spec.promptTokens,
    cachedTokens: request.cachedTokens,
    outputTokens: request.generated,
    maxTokens: request.spec.maxTokens,
    preemptions: request.preemptions,
    finishReason: request.finishReason,
  };
}

/**
 * Returns the number of prompt and generated tokens that are not yet computed; 1 for a request in its decode
 * phase.
 */
export function countUncomputedTokens({ spec, generated, computed }: Request): number {
  return spec.promptTokens + generated - computed;
}

/** Throws RangeError for a request that can never be served. */
export function validateRequestSpec(spec: RequestSpec, maxModelLen: number): void {
  const { promptTokens, outputTokens } = spec;
  if (!Number.isInteger(promptTokens) || promptTokens < 1) {
    throw new RangeError(`promptTokens is ${promptTokens}; expected an integer of at least 1`);
  }
  if (!Number.isInteger(outputTokens) || outputTokens < 0) {
    throw new RangeError(`outputTokens is ${outputTokens}; expected an integer of at least 0`);
  }
  if (promptTokens + outputTokens > maxModelLen) {
    throw new RangeError(
      `a request of ${promptTokens} + ${outputTokens} tokens is longer than maxModelLen, ${maxModelLen}`,
    );
  }
}
