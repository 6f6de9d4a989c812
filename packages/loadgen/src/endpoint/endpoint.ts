import type { Speculation } from '../response/speculation.ts';
import type { Usage } from '../response/usage.ts';

/** The name of an API of the inference server. */
export type EndpointName =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'messages'
  | 'huggingface_generate';

/** A message of a conversation. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** The parameters of a request, independent of the API. */
export interface RequestParams {
  readonly model: string;
  /** Earlier messages of the conversation, then the current one. */
  readonly messages: readonly Message[];
  /** Maximum response length, in tokens; if undefined, the server decides. */
  readonly maxTokens: number | undefined;
  readonly stream: boolean;
  /** Request the server's token counts at the end of a stream. */
  readonly usage: boolean;
  /** Send the limit as `max_tokens`, which older servers expect. */
  readonly legacyMaxTokens: boolean;
}

/** The contents of one chunk of a stream, or of a complete response. */
export interface Delta {
  readonly text: string;
  readonly reasoning: string;
  readonly usage: Usage | undefined;
  readonly speculation: Speculation | undefined;
  readonly finishReason: string | undefined;
  readonly model: string | undefined;
  /** The request id assigned by the server, such as `chatcmpl-…`. */
  readonly id: string | undefined;
  /** The error that the server reported instead of content. */
  readonly error: ServerError | undefined;
  /** Number of embedding vectors in the response. */
  readonly vectors: number;
}

/** An error object in a response body or an event. */
export interface ServerError {
  readonly message: string;
  /** Kind of the error: its type or, if the code is not a number, its code. */
  readonly type: string | undefined;
  readonly code: number | undefined;
}

/** An API of the inference server: builds request bodies and parses responses. */
export interface Endpoint {
  readonly name: EndpointName;
  /** Path below the base URL. */
  readonly path: string;
  /** Path of streamed requests, if it is another one. */
  readonly streamPath?: string;
  /** Headers that the API requires, such as its version. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The field of the body that contains the parameters of the request; by default, the body does. */
  readonly parametersField?: string;
  /** The parameters that can limit the length of the response, in order of precedence. */
  readonly limitFields: readonly string[];
  /** True if the API supports streaming. */
  readonly canStream: boolean;
  /** Returns the fields of the JSON request body. */
  buildBody(params: RequestParams): Record<string, unknown>;
  /** Parses one event of a stream. Never throws; missing fields are empty. */
  parseChunk(json: unknown): Delta;
  /** Parses a complete response. Never throws; missing fields are empty. */
  parseResponse(json: unknown): Delta;
}
