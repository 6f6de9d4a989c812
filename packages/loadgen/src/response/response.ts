import type { Delta } from '../endpoint/endpoint.ts';
import { type Failure, failure } from '../failure.ts';
import { AnswerText, PIECE_OUTPUT, PIECE_OUTPUT_TOO, PIECE_REASONING } from './responseContent.ts';
import type { Usage } from './usage.ts';

/** What has been read of one answer. */
export class Answer {
  readonly text: AnswerText = new AnswerText();
  usage: Usage | undefined;
  /** Chunks with a usage. */
  usages = 0;
  finishReason: string | undefined;
  /** The model as the server calls it. */
  model: string | undefined;
  /** The server's name for the request. */
  id: string | undefined;
  vectors = 0;
  /** Events of a stream, those without content included. */
  events = 0;
  /** Whether a stream said `[DONE]`. */
  isDone = false;
  /** Whether a stream ended without a word of a server that never has one: see `Endings`. */
  isSilent = false;
  failure: Failure | undefined;

  /** Takes what a chunk, or the whole answer, holds. */
  take(atNs: number, delta: Delta): void {
    if (delta.reasoning !== '') this.text.push(atNs, PIECE_REASONING, delta.reasoning);
    if (delta.text !== '')
      this.text.push(atNs, delta.reasoning === '' ? PIECE_OUTPUT : PIECE_OUTPUT_TOO, delta.text);
    if (delta.usage) {
      this.usage = delta.usage;
      this.usages += 1;
    }
    if (delta.finishReason !== undefined) this.finishReason = delta.finishReason;
    this.id ??= delta.id;
    if (delta.model !== undefined) this.model = delta.model;
    this.vectors += delta.vectors;
    if (delta.error) {
      const { message, type, code } = delta.error;
      this.fail(failure('StreamError', type === undefined ? message : `${type}: ${message}`, code));
    }
  }

  /** Remembers what went wrong; the first thing counts. */
  fail(reason: Failure): void {
    this.failure ??= reason;
  }
}

/** Reads the body of an answer, bit by bit. */
export interface BodyReader {
  /** Takes bytes that arrived at a time of the run. */
  bytes(atNs: number, bytes: Uint8Array): void;
  /** Told when all that came has been given. `isComplete`: the server ended it, and not an accident. Calls `done` when all is read. */
  end(isComplete: boolean, done: () => void): void;
}
