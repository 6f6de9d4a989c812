import type { Delta, ServerError } from '../endpoint/endpoint.ts';
import { createFailure, type Failure } from '../failure.ts';
import type { RawMessage } from '../requestRecord.ts';
import {
  PIECE_OUTPUT,
  PIECE_OUTPUT_SAME_CHUNK,
  PIECE_REASONING,
  ResponseContent,
} from './responseContent.ts';
import type { Speculation } from './speculation.ts';
import type { Usage } from './usage.ts';

/** A response that is parsed incrementally while its body arrives. */
export class ParsedResponse {
  readonly content: ResponseContent = new ResponseContent();
  /** The most recent of each token count reported by the server, which may be spread over several chunks. */
  usage: Usage | undefined;
  /** Number of completion tokens that the first chunk with content reported. */
  firstChunkTokens: number | undefined;
  /** Number of chunks that contained `usage`. */
  usageChunks = 0;
  /**
   * The speculative decoding of the response; undefined if the server does not report it, or reports it for each of
   * several choices.
   */
  speculation: Speculation | undefined;
  #speculations = 0;
  finishReason: string | undefined;
  /** The model name reported by the server. */
  model: string | undefined;
  /** The request id assigned by the server. */
  id: string | undefined;
  /** Number of results that are not text: vectors, scores or images. */
  results = 0;
  /** Number of events in a stream, including events without content. */
  events = 0;
  /** True if the stream contained `[DONE]`. */
  isDone = false;
  /**
   * True if the stream ended without an end marker and its server has not sent one before; see
   * `TruncationDetector`.
   */
  missingEndMarker = false;
  failure: Failure | undefined;
  /** Content type of the body; undefined for an error. */
  contentType: string | undefined;
  /** Called once, when the first content has arrived. */
  onFirstContent: (() => void) | undefined;
  /** The parts of the body as received; undefined unless they are kept. */
  rawMessages: RawMessage[] | undefined;

  /** Adds the contents of a chunk, or of a complete response, that arrived at `atNs`. */
  add(atNs: number, delta: Delta): void {
    const hadContent = this.content.pieces > 0;
    if (delta.reasoning !== '') this.content.push(atNs, PIECE_REASONING, delta.reasoning);
    if (delta.text !== '')
      this.content.push(atNs, delta.reasoning === '' ? PIECE_OUTPUT : PIECE_OUTPUT_SAME_CHUNK, delta.text);
    if (this.onFirstContent !== undefined && this.content.pieces > 0) {
      this.onFirstContent();
      this.onFirstContent = undefined;
    }
    if (!hadContent && this.content.pieces > 0) this.firstChunkTokens = delta.usage?.completionTokens;
    if (delta.usage) {
      this.usage = { ...this.usage, ...delta.usage };
      this.usageChunks += 1;
    }
    if (delta.speculation) {
      this.#speculations += 1;
      this.speculation = this.#speculations === 1 ? delta.speculation : undefined;
    }
    if (delta.finishReason !== undefined) this.finishReason = delta.finishReason;
    this.id ??= delta.id;
    if (delta.model !== undefined) this.model = delta.model;
    this.results += delta.results;
    if (delta.error) this.failWith(delta.error);
  }

  /** Returns the recorded failure, if any. A response without content is a failure, too. */
  findFailure(): Failure | undefined {
    if (this.failure) return this.failure;
    if (this.content.pieces > 0 || this.results > 0) return undefined;
    return createFailure('EmptyResponse', 'the response has no content');
  }

  /** Records an error that the server reported in the response. */
  failWith({ message, type, code }: ServerError): void {
    this.fail(createFailure('StreamError', type === undefined ? message : `${type}: ${message}`, code));
  }

  /** Records a failure; only the first one is kept. */
  fail(reason: Failure): void {
    this.failure ??= reason;
  }
}

/** Reads a response body incrementally. */
export interface BodyReader {
  /** Reads bytes that arrived at `atNs`, in ns since the run's origin. */
  readBytes(atNs: number, bytes: Uint8Array): void;
  /**
   * Ends the body after its last bytes. Calls `done` when the whole body has been parsed. `isComplete` is false
   * if the body was cut short by a broken connection, a timeout or a cancellation.
   */
  end(isComplete: boolean, done: () => void): void;
}
