/** Why a request ended. */
export type FinishReason = 'stop' | 'length' | 'abort';

/** What a client asks for, as far as the model cares. */
export interface RequestSpec {
  /** Prompt length in tokens, at least 1. */
  readonly promptTokens: number;
  /** How many tokens this request will generate; 0 for one that only reads its prompt (embeddings). */
  readonly outputTokens: number;
  /** Whether the last token is an end of text, or the limit was reached. */
  readonly finishReason: 'stop' | 'length';
  /** The `max_tokens` asked for, when one was. */
  readonly maxTokens?: number;
  /** A prompt beginning that other requests share: what the prefix cache can hold. */
  readonly prefix?: { readonly id: string; readonly tokens: number };
  /** By which way it came, for servers that tell. Without it: a streamed chat completion. */
  readonly api?: { readonly endpoint: ApiEndpoint; readonly stream: boolean };
}

export type ApiEndpoint = 'chat_completions' | 'completions' | 'embeddings';

/** Called as the model works on one request; times are engine ns. */
export interface RequestWatcher {
  /** The `index`-th token (from 0) is there. */
  token?(index: number, atNs: number): void;
  finished?(request: Request): void;
}

/**
 * When an HTTP request had arrived in its socket, and when the first and the last token of its stream were written to the socket: later than
 * the engine's times by what the server's own thread was busy with. NaN for what came by no stream, and until it happened:
 * the last token may be written when the engine has long done with the request.
 */
export interface Delivery {
  /** The request's X-Request-ID, by which its client knows it; undefined without one. */
  clientId: string | undefined;
  receivedNs: number;
  firstWrittenNs: number;
  lastWrittenNs: number;
}

/**
 * A request inside the engine. Times are ns since the simulation's start, NaN until they happened.
 */
export interface Request {
  readonly id: number;
  /** Index of the engine that serves it. */
  readonly engine: number;
  readonly spec: RequestSpec;
  readonly watcher: RequestWatcher | undefined;
  readonly arrivalNs: number;
  /** When the server's front end handed it to the scheduler. */
  queuedNs: number;
  /** When the scheduler first gave it a place in the batch. */
  scheduledNs: number;
  firstTokenNs: number;
  lastTokenNs: number;
  finishNs: number;
  readonly delivery: Delivery;
  finishReason: FinishReason | undefined;
  /** Tokens generated so far. */
  generated: number;
  /** Tokens whose keys and values are in the cache. */
  computed: number;
  /** Prompt tokens found in the prefix cache when it was first scheduled. */
  cachedTokens: number;
  preemptions: number;
  /** Cache blocks of its own. */
  blocks: number;
  /** The cached prefix that it holds on to. */
  prefixId: string | undefined;
  prefixBlocks: number;
  /** Tokens computed in the current step; 0 when it sits this one out. */
  stepTokens: number;
  /** Set when the client went away during a step: it leaves the batch when the step ends. */
  aborting: boolean;
}

/** What is kept of a request once it has ended. Times are ns since the simulation's start. */
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

/** A request as it enters an engine. */
export function newRequest(
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
    aborting: false,
  };
}

/** The lasting part of an ended request, its delivery as it is by now. */
export function recordOf(request: Request): RequestRecord {
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

/** Throws for a request that can never be served. */
export function checkSpec(spec: RequestSpec, maxModelLen: number): void {
  const { promptTokens, outputTokens } = spec;
  if (!Number.isInteger(promptTokens) || promptTokens < 1) {
    throw new RangeError(`promptTokens is ${promptTokens}; a whole number from 1 is accepted`);
  }
  if (!Number.isInteger(outputTokens) || outputTokens < 0) {
    throw new RangeError(`outputTokens is ${outputTokens}; a whole number from 0 is accepted`);
  }
  if (promptTokens + outputTokens > maxModelLen) {
    throw new RangeError(
      `a request of ${promptTokens} + ${outputTokens} tokens is longer than maxModelLen, ${maxModelLen}`,
    );
  }
}
