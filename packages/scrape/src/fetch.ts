import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import type { Clock } from './clock.ts';
import { Exchange, type Fetched } from './exchange.ts';
import { ACCEPT, formatOf } from './exposition/format.ts';
import { FetchError, failureOf } from './failure.ts';

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
  /** Headers for every request, such as Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

const MOST_REDIRECTS = 3;
const DECODERS: Readonly<
  Record<string, (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * GETs the body of one endpoint over kept-alive connections.
 *
 * It asks for an uncompressed body: compressing one costs the very server that is being measured more than sending it.
 * A server that compresses all the same is understood. Redirects are followed within the host only.
 */
export class Fetcher {
  readonly #agent: Agent;
  readonly #options: FetcherOptions;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { timeoutMs } = options.limits;
    this.#agent = new Agent({
      connections: 1,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /**
   * Fetches `url`. Never throws: what goes wrong is in `failure`. `signal` ends it early.
   *
   * A server may close a kept-alive connection at the moment at which we use it again; an answer that breaks off before
   * its first byte is therefore asked for once more.
   */
  async fetch(url: string, signal?: AbortSignal): Promise<Fetched> {
    const fetched = await this.#try(url, signal);
    const again = fetched.failure?.reason === 'cut' && fetched.firstByteNs === undefined;
    return again ? this.#try(url, signal) : fetched;
  }

  async #try(url: string, signal: AbortSignal | undefined): Promise<Fetched> {
    const exchange = new Exchange(url, this.#options.clock);
    const timeout = AbortSignal.timeout(this.#options.limits.timeoutMs);
    try {
      await this.#follow(exchange, signal ? AbortSignal.any([timeout, signal]) : timeout);
    } catch (error) {
      exchange.failure = failureOf(error, timeout.aborted ? this.#options.limits.timeoutMs : undefined);
    }
    return exchange.result();
  }

  /** Closes all connections; what is under way fails. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #follow(exchange: Exchange, signal: AbortSignal): Promise<void> {
    const host = new URL(exchange.url).host;
    for (let hops = 0; ; hops++) {
      const answer = await this.#request(exchange, signal);
      const location = redirectOf(answer);
      if (location === undefined) {
        await this.#receive(exchange, answer);
        return;
      }
      await answer.body.dump({ limit: 65_536, signal });
      const next = new URL(location, exchange.url);
      if (next.host !== host || !/^https?:$/.test(next.protocol)) {
        throw new FetchError('redirect', `redirects to another host, ${next.origin}, which is not followed`);
      }
      if (hops === MOST_REDIRECTS)
        throw new FetchError('redirect', `redirects more than ${MOST_REDIRECTS} times`);
      exchange.url = next.href;
    }
  }

  async #request(exchange: Exchange, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(exchange.url);
    exchange.sent();
    const answer = await this.#agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: {
        accept: ACCEPT,
        'accept-encoding': 'identity',
        'user-agent': 'servelens',
        ...this.#options.headers,
      },
      signal,
    });
    exchange.answered(answer);
    return answer;
  }

  async #receive(exchange: Exchange, answer: Dispatcher.ResponseData): Promise<void> {
    if (answer.statusCode !== 200) {
      await answer.body.dump({ limit: 65_536 });
      throw new FetchError('http_status', `answered HTTP status ${answer.statusCode}; expected 200`);
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
    exchange.body = await this.#decoded(encoded, answer.headers['content-encoding']);
  }

  async #collect(exchange: Exchange, answer: Dispatcher.ResponseData): Promise<Uint8Array> {
    const most = this.#options.limits.encodedBytes;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      exchange.encodedBytes += chunk.length;
      if (exchange.encodedBytes > most)
        throw new FetchError('too_large', `sent a body larger than ${most} bytes`);
      chunks.push(chunk);
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, exchange.encodedBytes);
  }

  async #decoded(encoded: Uint8Array, encoding: string | string[] | undefined): Promise<Uint8Array> {
    const name = String(encoding ?? 'identity')
      .trim()
      .toLowerCase();
    if (name === 'identity' || name === '') return encoded;
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    const known = Object.keys(DECODERS).join(', ');
    if (!decoder)
      throw new FetchError('encoding', `sent content-encoding ${JSON.stringify(name)}; expected ${known}`);
    const most = this.#options.limits.decodedBytes;
    try {
      return await decoder(encoded, { maxOutputLength: most });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new FetchError('too_large', `sent a body larger than ${most} bytes once decompressed`);
      }
      throw new FetchError('encoding', `sent a ${name} body that cannot be decompressed`, error);
    }
  }
}

function redirectOf(answer: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  const location = answer.headers.location;
  return Array.isArray(location) ? location[0] : location;
}
