import { fieldsOf, readError } from '../endpoint/responseFields.ts';
import type { FailureType } from '../failure.ts';
import { failure } from '../failure.ts';
import type { Answer, BodyReader } from './response.ts';

/** How much is kept of the body of an answer that is none, bytes. */
const MOST_BYTES = 4096;

/** Reads what a server says instead of an answer: the body of a 4xx or 5xx, a page of a proxy. */
export class RefusalReader implements BodyReader {
  readonly #answer: Answer;
  readonly #type: FailureType;
  readonly #code: number;
  readonly #what: string;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** `what` stands in front of what the server says. */
  constructor(answer: Answer, type: FailureType, code: number, what: string) {
    this.#answer = answer;
    this.#type = type;
    this.#code = code;
    this.#what = what;
  }

  bytes(_atNs: number, bytes: Uint8Array): void {
    if (this.#length >= MOST_BYTES) return;
    this.#parts.push(bytes.subarray(0, MOST_BYTES - this.#length));
    this.#length += bytes.length;
  }

  end(_isComplete: boolean, done: () => void): void {
    const said = messageIn(Buffer.concat(this.#parts).toString());
    this.#answer.fail(failure(this.#type, said === '' ? this.#what : `${this.#what}: ${said}`, this.#code));
    done();
  }
}

/** The message of an error body, whatever its wording; the text itself when it is no JSON. */
function messageIn(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    return readError(fieldsOf(json).error ?? json).message;
  } catch {
    return text.trim();
  }
}
