import type { Endpoint } from '../endpoint/endpoint.ts';
import { createFailure } from '../failure.ts';
import type { BodyReader, ParsedResponse } from './response.ts';

/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 1 << 27;
/** Maximum number of characters of an invalid body quoted in a message. */
const MAX_QUOTED_CHARACTERS = 200;

/** Reads a response that is not streamed: one JSON document. All of its content is timestamped with the last byte. */
export class JsonBodyReader implements BodyReader {
  readonly #response: ParsedResponse;
  readonly #endpoint: Endpoint;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #lastNs = 0;

  constructor(endpoint: Endpoint, response: ParsedResponse) {
    this.#endpoint = endpoint;
    this.#response = response;
  }

  readBytes(atNs: number, bytes: Uint8Array): void {
    this.#lastNs = atNs;
    this.#length += bytes.length;
    if (this.#length <= MAX_RESPONSE_BYTES) this.#chunks.push(bytes);
    else {
      this.#chunks.length = 0;
      this.#response.fail(
        createFailure('TooLarge', `the response is larger than ${MAX_RESPONSE_BYTES} bytes`),
      );
    }
  }

  end(isComplete: boolean, done: () => void): void {
    if (isComplete && this.#response.failure === undefined) this.#parse();
    done();
  }

  #parse(): void {
    // TextDecoder skips a byte order mark, which parsers may ignore (RFC 8259, section 8.1).
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    this.#response.rawMessages?.push({ atNs: this.#lastNs, event: undefined, text });
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      if (this.#endpoint.acceptsPlainText && text !== '') {
        this.#response.add(this.#lastNs, this.#endpoint.parseResponse(text));
        return;
      }
      const quoted = text.slice(0, MAX_QUOTED_CHARACTERS);
      this.#response.fail(createFailure('InvalidResponse', `the response is not valid JSON: ${quoted}`));
      return;
    }
    this.#response.add(this.#lastNs, this.#endpoint.parseResponse(json));
  }
}
