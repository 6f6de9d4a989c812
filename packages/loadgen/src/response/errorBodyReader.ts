import { readError, toFields } from '../endpoint/responseFields.ts';
import type { FailureType } from '../failure.ts';
import { createFailure } from '../failure.ts';
import type { BodyReader, ParsedResponse } from './response.ts';

/** Maximum number of bytes to read from an error body. */
const MAX_BODY_BYTES = 4096;

/**
 * Reads the body of a failed request, such as a 4xx or 5xx response or a proxy's error page, for the failure
 * message.
 */
export class ErrorBodyReader implements BodyReader {
  readonly #response: ParsedResponse;
  readonly #type: FailureType;
  readonly #status: number;
  readonly #problem: string;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** `problem` is the first part of the failure message, before the server's message. */
  constructor(response: ParsedResponse, type: FailureType, status: number, problem: string) {
    this.#response = response;
    this.#type = type;
    this.#status = status;
    this.#problem = problem;
  }

  readBytes(_atNs: number, bytes: Uint8Array): void {
    if (this.#length >= MAX_BODY_BYTES) return;
    this.#chunks.push(bytes.subarray(0, MAX_BODY_BYTES - this.#length));
    this.#length += bytes.length;
  }

  end(_isComplete: boolean, done: () => void): void {
    const detail = readMessage(Buffer.concat(this.#chunks).toString());
    const message = detail === '' ? this.#problem : `${this.#problem}: ${detail}`;
    this.#response.fail(createFailure(this.#type, message, this.#status));
    done();
  }
}

/** Returns the message of a JSON error body, or the text itself if it is not JSON. */
function readMessage(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    return readError(toFields(json).error ?? json).message;
  } catch {
    return text.trim();
  }
}
