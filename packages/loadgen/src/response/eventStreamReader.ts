import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { readError } from '../endpoint/responseFields.ts';
import { failure } from '../failure.ts';
import type { Answer, BodyReader } from './response.ts';

/** Longest single event, in characters. */
const MOST_CHARACTERS = 1 << 24;
/** How much of what cannot be read is quoted, in characters. */
const QUOTED = 200;

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2). The time of an event is the arrival of the bytes that
 * completed it; a character may be split between reads.
 */
export class EventReader implements BodyReader {
  readonly #answer: Answer;
  readonly #endpoint: Endpoint;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #atNs = 0;

  constructor(endpoint: Endpoint, answer: Answer) {
    this.#endpoint = endpoint;
    this.#answer = answer;
    this.#parser = createParser({
      maxBufferSize: MOST_CHARACTERS,
      onEvent: ({ event, data }) => this.#event(event, data),
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return;
        answer.fail(
          failure('TooLarge', `the stream holds an event of more than ${MOST_CHARACTERS} characters`),
        );
      },
    });
  }

  bytes(atNs: number, bytes: Uint8Array): void {
    // A parser that has given up throws when it is fed again.
    if (this.#answer.failure?.type === 'TooLarge') return;
    this.#atNs = atNs;
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
  }

  end(isComplete: boolean, done: () => void): void {
    // Some servers leave out the empty line behind the last event.
    if (isComplete && this.#answer.failure === undefined) this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    done();
  }

  #event(name: string | undefined, data: string): void {
    const answer = this.#answer;
    answer.events += 1;
    if (data === '[DONE]') {
      answer.isDone = true;
      return;
    }
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch {
      // Gateways say in plain words what went wrong.
      if (name === 'error') answer.fail(failure('StreamError', data));
      else
        answer.fail(failure('InvalidAnswer', `an event of the stream is no JSON: ${data.slice(0, QUOTED)}`));
      return;
    }
    if (name === 'error') {
      const { message, code } = readError((json as { error?: unknown } | null)?.error ?? json);
      answer.fail(failure('StreamError', message, code));
      return;
    }
    answer.take(this.#atNs, this.#endpoint.chunk(json));
  }
}
