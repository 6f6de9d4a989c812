import type { Dispatcher } from 'undici';
import type { Authorization } from './authorization.ts';
import type { Clock } from './clock.ts';
import { Connection, type Lookup } from './connection.ts';
import { Deadline } from './deadline.ts';
import { COMPRESSED, decoded } from './decoding.ts';
import { Diagnosis } from './diagnosis.ts';
import { Exchange, type Fetched } from './exchange.ts';
import { ACCEPT, formatOf } from './exposition/format.ts';
import { FetchError, failureOf, statusFailure } from './failure.ts';
import { overLimit } from './limits.ts';
import type { Trust } from './trust.ts';

/** How bodies may be asked for and how large they may be. */
export interface FetchLimits {
  /** From the request's sending to the body's last byte, in ms. */
  readonly timeoutMs: number;
  /** Bytes on the wire. */
  readonly encodedBytes: number;
  /** Bytes after decompression. */
  readonly decodedBytes: number;
}

export interface FetcherOptions {
  readonly clock: Clock;
  readonly limits: FetchLimits;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What goes into the Authorization header; wins over `headers`. */
  readonly authorization?: Authorization;
  readonly trust?: Trust;
  /** Ask for a compressed body. */
  readonly compressed?: boolean;
  /** How names are resolved; as the system does it without. */
  readonly lookup?: Lookup;
}

const MOST_REDIRECTS = 3;
/** What is read of a body that is of no use, so that the connection can be kept. */
const DUMP = { limit: 65_536 };

/**
 * GETs the body of one endpoint over a kept-alive connection, which lasts until a scrape fails.
 *
 * It asks for an uncompressed body: compressing one costs the very server that is being measured more than sending it.
 * A server that compresses all the same is understood. Redirects are followed within the host only.
 */
export class Fetcher {
  readonly #connection: Connection;
  readonly #diagnosis: Diagnosis;
  readonly #options: FetcherOptions;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { limits, trust, lookup } = options;
    this.#diagnosis = new Diagnosis(lookup);
    this.#connection = new Connection({
      timeoutMs: limits.timeoutMs,
      ...(trust ? { trust } : {}),
      ...(lookup ? { lookup } : {}),
    });
  }

  /**
   * Fetches `url`. Never throws: what goes wrong is in `failure`. `signal` ends it early.
   *
   * What may be over in a moment is tried once more at once. A server may close a kept-alive connection just when we use it
   * again: an answer that breaks off before its first byte is asked for on another one. And a token may have been rotated:
   * one that is refused is read again, and when it is another one now, so is the answer.
   */
  async fetch(url: string, signal?: AbortSignal): Promise<Fetched> {
    const fetched = await this.#try(url, signal);
    return (await this.#deservesAnother(fetched)) ? this.#try(url, signal) : fetched;
  }

  /** Closes all connections; what is under way fails. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #deservesAnother({ failure, firstByteNs }: Fetched): Promise<boolean> {
    if (failure?.reason === 'cut') return firstByteNs === undefined;
    const isRefused = failure?.reason === 'unauthorized' || failure?.reason === 'forbidden';
    return isRefused && (await this.#options.authorization?.renew()) === true;
  }

  async #try(url: string, signal: AbortSignal | undefined): Promise<Fetched> {
    const exchange = new Exchange(url, this.#options.clock);
    const { timeoutMs } = this.#options.limits;
    const deadline = new Deadline(timeoutMs, signal);
    try {
      await this.#follow(exchange, deadline.signal);
      this.#diagnosis.clear();
    } catch (thrown) {
      const error = this.#connection.alert ?? thrown;
      this.#connection.renew();
      exchange.failure = deadline.signal.aborted
        ? failureOf(error, deadline.isOver ? timeoutMs : undefined)
        : await this.#diagnosis.of(error, exchange);
    } finally {
      deadline.end();
    }
    return exchange.result(this.#connection.address);
  }

  async #follow(exchange: Exchange, signal: AbortSignal): Promise<void> {
    for (let hops = 0; ; hops++) {
      const answer = await this.#request(exchange, signal);
      const location = redirectOf(answer);
      if (location === undefined) {
        await this.#receive(exchange, answer);
        return;
      }
      await answer.body.dump({ ...DUMP, signal });
      if (hops === MOST_REDIRECTS)
        throw new FetchError('redirect', `redirects more than ${MOST_REDIRECTS} times`);
      exchange.url = redirected(exchange.url, location);
    }
  }

  async #request(exchange: Exchange, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { headers, authorization, compressed } = this.#options;
    const { origin, pathname, search } = new URL(exchange.url);
    const authorized = authorization ? { authorization: await authorization.value() } : {};
    exchange.sent();
    const answer = await this.#connection.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: {
        accept: ACCEPT,
        'accept-encoding': compressed ? COMPRESSED : 'identity',
        'user-agent': 'servelens',
        ...lowerCased(headers),
        ...authorized,
      },
      signal,
    });
    exchange.answered(answer);
    return answer;
  }

  async #receive(exchange: Exchange, answer: Dispatcher.ResponseData): Promise<void> {
    if (answer.statusCode !== 200) {
      await answer.body.dump(DUMP);
      throw statusFailure(answer.statusCode, this.#isAuthorized);
    }
    if (formatOf(exchange.contentType) === 'json') {
      answer.body.on('error', () => {}).destroy();
      const expected = 'expected text/plain (Prometheus exposition format)';
      throw new FetchError(
        'not_prometheus',
        `returned non-Prometheus content-type 'application/json'; ${expected}`,
      );
    }
    const encoded = await this.#collect(exchange, answer);
    const { decodedBytes } = this.#options.limits;
    exchange.body = await decoded(encoded, answer.headers['content-encoding'], decodedBytes);
  }

  get #isAuthorized(): boolean {
    const { authorization, headers } = this.#options;
    return authorization !== undefined || Object.keys(lowerCased(headers)).includes('authorization');
  }

  async #collect(exchange: Exchange, answer: Dispatcher.ResponseData): Promise<Uint8Array> {
    const most = this.#options.limits.encodedBytes;
    const announced = Number(answer.headers['content-length'] ?? 0);
    if (announced > most) {
      answer.body.on('error', () => {}).destroy();
      throw new FetchError('too_large', overLimit(`sent a body of ${announced} bytes`, 'encodedBytes', most));
    }
    const chunks: Uint8Array[] = [];
    await everyChunk(answer.body, chunk => {
      exchange.encodedBytes += chunk.length;
      if (exchange.encodedBytes > most) {
        const seen = `sent ${exchange.encodedBytes} bytes of a body and was not at its end`;
        throw new FetchError('too_large', overLimit(seen, 'encodedBytes', most));
      }
      chunks.push(chunk);
    });
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, exchange.encodedBytes);
  }
}

/**
 * Calls `take` with every chunk of a body; what it throws ends the body. By events, since iterating costs several promises and
 * listeners a chunk, a twentieth of all that scraping costs. Rejects when the body breaks off.
 */
function everyChunk(body: Dispatcher.ResponseData['body'], take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      try {
        take(chunk);
      } catch (error) {
        body.destroy();
        reject(error);
      }
    });
    body.on('end', resolve);
    body.on('error', reject);
    body.on('close', () => reject(new Error('the body ended before its end')));
  });
}

/** Names of headers are the same in any case; ours must not stand beside a user's of the same name. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function redirectOf(answer: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  const location = answer.headers.location;
  return Array.isArray(location) ? location[0] : location;
}

/** Where a redirect leads. Only within the host, and never out of TLS: our credentials go with us. */
function redirected(from: string, location: string): string {
  if (!URL.canParse(location, from))
    throw new FetchError('redirect', 'redirects to something that is not a URL');
  const next = new URL(location, from);
  const { host, protocol } = new URL(from);
  if (next.host !== host || !/^https?:$/.test(next.protocol)) {
    const where = /^https?:$/.test(next.protocol) ? next.origin : `a URL with ${next.protocol}`;
    throw new FetchError('redirect', `redirects to another host, ${where}, which is not followed`);
  }
  if (protocol === 'https:' && next.protocol === 'http:')
    throw new FetchError('redirect', 'redirects from https to http, which is not followed');
  next.username = '';
  next.password = '';
  return next.href;
}
