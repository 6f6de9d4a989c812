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
import { type AnswerHead, Receipt } from './receipt.ts';
import { Rooms } from './rooms.ts';
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
/** Shared by all endpoints: few of them are answered at a time. */
const ROOMS = new Rooms();

/** Where a URL leads, in the parts that a request has. */
interface Address {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

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
  /** Names and values in turn, but for the authorization. */
  readonly #headers: string[];
  #address: Address | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { limits, trust, lookup } = options;
    this.#headers = headersOf(options);
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
      await this.#follow(exchange, deadline);
      this.#diagnosis.clear();
    } catch (thrown) {
      const error = this.#connection.alert ?? thrown;
      this.#connection.renew();
      exchange.failure = deadline.isAborted
        ? failureOf(error, deadline.isOver ? timeoutMs : undefined)
        : await this.#diagnosis.of(error, exchange);
    } finally {
      deadline.end();
    }
    return exchange.result(this.#connection.address);
  }

  async #follow(exchange: Exchange, deadline: Deadline): Promise<void> {
    for (let hops = 0; ; hops++) {
      const receipt = this.#receiptOf(exchange);
      const head = await this.#request(exchange, receipt, deadline);
      const location = redirectOf(head);
      if (location === undefined) {
        if (head.status !== 200) throw statusFailure(head.status, this.#isAuthorized);
        await this.#decode(exchange, receipt, head);
        return;
      }
      if (hops === MOST_REDIRECTS)
        throw new FetchError('redirect', `redirects more than ${MOST_REDIRECTS} times`);
      exchange.url = redirected(exchange.url, location);
    }
  }

  async #request(exchange: Exchange, receipt: Receipt, deadline: Deadline): Promise<AnswerHead> {
    const { authorization } = this.#options;
    const headers = authorization
      ? [...this.#headers, 'authorization', await authorization.value()]
      : this.#headers;
    const { origin, path } = this.#addressOf(exchange.url);
    exchange.sent();
    deadline.onEnd = () => receipt.abort(new DOMException('This operation was aborted', 'AbortError'));
    if (!deadline.isAborted) this.#connection.send(origin, { path, method: 'GET', headers }, receipt);
    return receipt.done;
  }

  /** An endpoint is asked for by the same URL again and again. */
  #addressOf(url: string): Address {
    if (this.#address?.url !== url) {
      const { origin, pathname, search } = new URL(url);
      this.#address = { url, origin, path: pathname + search };
    }
    return this.#address;
  }

  #receiptOf(exchange: Exchange): Receipt {
    const most = this.#options.limits.encodedBytes;
    return new Receipt({
      rooms: ROOMS,
      onHead: head => {
        exchange.answered(head);
        if (head.status !== 200) return 'dump';
        this.#checkHead(exchange, head);
        return 'keep';
      },
      onBytes: bytes => {
        exchange.encodedBytes += bytes;
        if (exchange.encodedBytes <= most) return;
        const seen = `sent ${exchange.encodedBytes} bytes of a body and was not at its end`;
        throw new FetchError('too_large', overLimit(seen, 'encodedBytes', most));
      },
    });
  }

  /** Throws what speaks against reading the body. */
  #checkHead({ contentType }: Exchange, { headers }: AnswerHead): void {
    if (formatOf(contentType) === 'json') {
      const expected = 'expected text/plain (Prometheus exposition format)';
      throw new FetchError(
        'not_prometheus',
        `returned non-Prometheus content-type 'application/json'; ${expected}`,
      );
    }
    const most = this.#options.limits.encodedBytes;
    const announced = Number(headers['content-length'] ?? 0);
    if (announced > most)
      throw new FetchError('too_large', overLimit(`sent a body of ${announced} bytes`, 'encodedBytes', most));
  }

  async #decode(exchange: Exchange, receipt: Receipt, { headers }: AnswerHead): Promise<void> {
    const { decodedBytes } = this.#options.limits;
    const encoded = receipt.body;
    const body = await decoded(encoded, headers['content-encoding'], decodedBytes);
    exchange.body = body;
    if (body === encoded) exchange.release = () => receipt.release();
    else receipt.release();
  }

  get #isAuthorized(): boolean {
    const { authorization, headers } = this.#options;
    return authorization !== undefined || Object.keys(lowerCased(headers)).includes('authorization');
  }
}

/** The headers of every request, names and values in turn; an authorization of its own takes the place of a user's. */
function headersOf({ headers, authorization, compressed }: FetcherOptions): string[] {
  const all: Record<string, string> = {
    accept: ACCEPT,
    'accept-encoding': compressed ? COMPRESSED : 'identity',
    'user-agent': 'servelens',
    ...lowerCased(headers),
  };
  if (authorization) delete all.authorization;
  return Object.entries(all).flat();
}

/** Names of headers are the same in any case; ours must not stand beside a user's of the same name. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function redirectOf({ status, headers }: AnswerHead): string | undefined {
  if (status === 200 || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const location: string | readonly string[] | undefined = headers.location;
  return typeof location === 'object' ? location[0] : location;
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
