import type { Usage } from '../response/usage.ts';

export type EndpointName = 'chat' | 'completions' | 'embeddings';

/** One thing said in a conversation. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** What is asked for, in the words of no particular API. */
export interface Asked {
  readonly model: string;
  /** What was said before and what is said now, in order. */
  readonly messages: readonly Message[];
  /** Longest answer, tokens; undefined to leave it to the server. */
  readonly maxTokens: number | undefined;
  readonly stream: boolean;
  /** Whether a stream is to end with the server's own counts. */
  readonly usage: boolean;
  /** Whether the limit is called `max_tokens`, as older servers have it. */
  readonly legacyMaxTokens: boolean;
}

/** What a chunk of a stream, or a whole answer, holds. */
export interface Delta {
  readonly text: string;
  readonly reasoning: string;
  readonly usage: Usage | undefined;
  readonly finishReason: string | undefined;
  readonly model: string | undefined;
  /** The server's name for the request: `chatcmpl-…`. */
  readonly id: string | undefined;
  /** What an error event says. */
  readonly error: ServerError | undefined;
  /** Vectors of an embedding. */
  readonly vectors: number;
}

export interface ServerError {
  readonly message: string;
  readonly type: string | undefined;
  readonly code: string | number | undefined;
}

/** The wording of one API: how to ask, and how to read what it answers. */
export interface Endpoint {
  readonly name: EndpointName;
  /** Path below the base URL. */
  readonly path: string;
  /** Whether it can answer in a stream. */
  readonly streams: boolean;
  /** The fields of the request's body. */
  fields(asked: Asked): Record<string, unknown>;
  /** Reads one event of a stream. Throws nothing: what is not there is empty. */
  chunk(json: unknown): Delta;
  /** Reads a whole answer. */
  answer(json: unknown): Delta;
}
