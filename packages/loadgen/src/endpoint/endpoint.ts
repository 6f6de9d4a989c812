import type { Speculation } from '../response/speculation.ts';
import type { Usage } from '../response/usage.ts';
import type { Contents } from './contents.ts';

/** The name of an API of the inference server. */
export type EndpointName =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'messages'
  | 'huggingface_generate'
  | 'chat_embeddings'
  | 'nim_embeddings'
  | 'nim_rankings'
  | 'cohere_rankings'
  | 'hf_tei_rankings'
  | 'solido_rag'
  | 'image_generation'
  | 'image_edit'
  | 'image_retrieval'
  | 'audio_transcription'
  | 'raw'
  | 'template';

/** A message of a conversation. */
export interface Message {
  readonly role: string;
  readonly content: string;
  /** Other contents of the message. */
  readonly contents?: Contents;
  /** The message in the format of the API, which is sent unchanged. */
  readonly raw?: Readonly<Record<string, unknown>>;
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
  /** Request them even where the API always has them. */
  readonly requiresUsage?: boolean;
  /** Send the limit as `max_tokens`, which older servers expect. */
  readonly legacyMaxTokens: boolean;
  /** Request the server's token counts in each chunk of a stream. */
  readonly chunkUsage?: boolean;
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
  /** Number of results that are not text: vectors, scores or images. */
  readonly results: number;
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
  /** True if responses contain text, instead of vectors, scores or images. */
  readonly generatesText: boolean;
  /** True if a request contains the earlier messages of its conversation. */
  readonly sendsHistory: boolean;
  /** False if the length of the input is not measured in tokens. */
  readonly countsInput?: false;
  /** True if requests contain a query and passages. */
  readonly ranksPassages?: true;
  /** Kinds of contents that requests can have in addition to text; none by default. */
  readonly media?: readonly ('images' | 'audios' | 'videos')[];
  /** The kind of contents that a request must have. */
  readonly requiredMedia?: 'images' | 'audios';
  /** True if bodies are forms, which upload files. */
  readonly isForm?: true;
  /** True if responses may be plain text instead of JSON. */
  readonly acceptsPlainText?: true;
  /** True if a complete stream always ends with an event that contains the finish reason. */
  readonly endsWithReason?: true;
  /** Fields of the body that contain the prompt. */
  readonly promptFields: readonly string[];
  /** Returns the fields of the JSON request body. */
  buildBody(params: RequestParams): Record<string, unknown>;
  /** Parses one event of a stream. Never throws; missing fields are empty. */
  parseChunk(json: unknown): Delta;
  /** Parses a complete response. Never throws; missing fields are empty. */
  parseResponse(json: unknown): Delta;
}
