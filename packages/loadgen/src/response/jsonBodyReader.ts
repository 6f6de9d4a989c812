import type { Endpoint } from '../endpoint/endpoint.ts';
import { failure } from '../failure.ts';
import type { Answer, BodyReader } from './response.ts';

/** Largest answer that is read, bytes. */
const MOST_BYTES = 1 << 27;
const QUOTED = 200;

/** Reads an answer that comes in one piece: its content is there when its last byte is. */
export class WholeReader implements BodyReader {
  readonly #answer: Answer;
  readonly #endpoint: Endpoint;
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  #lastNs = 0;

  constructor(endpoint: Endpoint, answer: Answer) {
    this.#endpoint = endpoint;
    this.#answer = answer;
  }

  bytes(atNs: number, bytes: Uint8Array): void {
    this.#lastNs = atNs;
    this.#length += bytes.length;
    if (this.#length <= MOST_BYTES) this.#parts.push(bytes);
    else {
      this.#parts.length = 0;
      this.#answer.fail(failure('TooLarge', `the answer is larger than ${MOST_BYTES} bytes`));
    }
  }

  end(isComplete: boolean, done: () => void): void {
    if (isComplete && this.#answer.failure === undefined) this.#read();
    done();
  }

  #read(): void {
    // Leaves out a byte order mark, which JSON may have in front of it (RFC 8259, section 8.1).
    const text = new TextDecoder().decode(Buffer.concat(this.#parts));
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      this.#answer.fail(failure('InvalidAnswer', `the answer is no JSON: ${text.slice(0, QUOTED)}`));
      return;
    }
    this.#answer.take(this.#lastNs, this.#endpoint.answer(json));
  }
}
