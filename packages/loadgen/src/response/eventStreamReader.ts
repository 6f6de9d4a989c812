import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { readError } from '../endpoint/responseFields.ts';
import { createFailure } from '../failure.ts';
import type { BodyReader, ParsedResponse } from './response.ts';

/** Maximum size of a single event, in characters. */
const MAX_EVENT_CHARACTERS = 1 << 24;
/** Maximum number of characters of an invalid event quoted in a message. */
const MAX_QUOTED_CHARACTERS = 200;

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2). The time of an event is the arrival of the
 * bytes that completed it. Multi-byte characters may be split across reads.
 */
export class EventStreamReader implements BodyReader {
  readonly #response: ParsedResponse;
  readonly #endpoint: Endpoint;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #atNs = 0;
  /** True if the last character was a CR, whose LF may follow. */
  #endsWithCr = false;

  constructor(endpoint: Endpoint, response: ParsedResponse) {
    this.#endpoint = endpoint;
    this.#response = response;
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ event, data }) => this.#readEvent(event, data),
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return;
        response.fail(
          createFailure(
            'TooLarge',
            `the stream contains an event of more than ${MAX_EVENT_CHARACTERS} characters`,
          ),
        );
      },
    });
  }

  readBytes(atNs: number, bytes: Uint8Array): void {
    // The parser throws if it is fed after its buffer limit was exceeded.
    if (this.#response.failure?.type === 'TooLarge') return;
    this.#atNs = atNs;
    this.#parser.feed(this.#normalizeLineEnds(this.#decoder.decode(bytes, { stream: true })));
  }

  end(isComplete: boolean, done: () => void): void {
    // Some servers omit the empty line after the last event.
    if (isComplete && this.#response.failure === undefined)
      this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    done();
  }

  /**
   * Replaces CRLF and CR by LF, because the parser does not support CR alone. A CR ends its line at once, even if
   * the LF after it has not arrived yet.
   */
  #normalizeLineEnds(text: string): string {
    const rest = this.#endsWithCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endsWithCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  #readEvent(name: string | undefined, data: string): void {
    const response = this.#response;
    response.events += 1;
    response.rawMessages?.push({ atNs: this.#atNs, event: name, text: data });
    if (data === '[DONE]') {
      response.isDone = true;
      return;
    }
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch {
      // Some gateways send error events in plain text.
      if (name === 'error') response.fail(createFailure('StreamError', data));
      else {
        const quoted = data.slice(0, MAX_QUOTED_CHARACTERS);
        response.fail(
          createFailure('InvalidResponse', `an event of the stream is not valid JSON: ${quoted}`),
        );
      }
      return;
    }
    if (name === 'error') {
      response.failWith(readError((json as { error?: unknown } | null)?.error ?? json));
      return;
    }
    response.add(this.#atNs, this.#endpoint.parseChunk(json));
  }
}
