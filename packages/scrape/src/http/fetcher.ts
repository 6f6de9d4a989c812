import type { Authorization } from '../credentials/authorization.ts';
import type { Trust } from '../credentials/trust.ts';
import { ACCEPT, formatOf } from '../exposition/contentType.ts';
import type { Clock } from '../schedule/clock.ts';
import { BufferPool } from './bufferPool.ts';
import { Connection, type Lookup } from './connection.ts';
import { ACCEPTED_ENCODINGS, decodeBody } from './contentEncoding.ts';
import { Deadline } from './deadline.ts';
import { Exchange, type Fetched } from './exchange.ts';
import { FetchError, statusFailure, toFailure } from './failure.ts';
import { FailureDiagnosis } from './failureDiagnosis.ts';
import { formatLimitExceeded } from './limits.ts';
import { type ResponseHead, ResponseReceiver } from './responseReceiver.ts';

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

const MAX_REDIRECTS = 3;
/** Shared by all endpoints: few of them are answered at a time. */
const BUFFER_POOL = new BufferPool();

/** Where a URL leads, in the parts that a request has. */
interface RequestTarget {
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
  readonly #diagnosis: FailureDiagnosis;
  readonly #options: FetcherOptions;
  /** Names and values in turn, but for the authorization. */
  readonly #headers: string[];
  #lastTarget: RequestTarget | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { limits, trust, lookup } = options;
    this.#headers = buildHeaders(options);
    this.#diagnosis = new FailureDiagnosis(lookup);
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
    const fetched = await this.#fetchOnce(url, signal);
    return (await this.#shouldRetry(fetched)) ? this.#fetchOnce(url, signal) : fetched;
  }

  /** Closes all connections; what is under way fails. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #shouldRetry({ failure, firstByteNs }: Fetched): Promise<boolean> {
    if (failure?.reason === 'cut') return firstByteNs === undefined;
    const isRefused = failure?.reason === 'unauthorized' || failure?.reason === 'forbidden';
    return isRefused && (await this.#options.authorization?.renew()) === true;
  }

  async #fetchOnce(url: string, signal: AbortSignal | undefined): Promise<Fetched> {
    const exchange = new Exchange(url, this.#options.clock);
    const { timeoutMs } = this.#options.limits;
    const deadline = new Deadline(timeoutMs, signal);
    try {
      await this.#followRedirects(exchange, deadline);
      this.#diagnosis.clear();
    } catch (thrown) {
      const error = this.#connection.alert ?? thrown;
      this.#connection.renew();
      exchange.failure = deadline.isAborted
        ? toFailure(error, deadline.isOver ? timeoutMs : undefined)
        : await this.#diagnosis.diagnose(error, exchange);
    } finally {
      deadline.end();
    }
    return exchange.result(this.#connection.address);
  }

  async #followRedirects(exchange: Exchange, deadline: Deadline): Promise<void> {
    for (let hops = 0; ; hops++) {
      const receiver = this.#newReceiver(exchange);
      const head = await this.#request(exchange, receiver, deadline);
      const location = findRedirect(head);
      if (location === undefined) {
        if (head.status !== 200) throw statusFailure(head.status, this.#hasCredentials);
        await this.#decode(exchange, receiver, head);
        return;
      }
      if (hops === MAX_REDIRECTS)
        throw new FetchError('redirect', `redirects more than ${MAX_REDIRECTS} times`);
      exchange.url = resolveRedirect(exchange.url, location);
    }
  }

  async #request(exchange: Exchange, receiver: ResponseReceiver, deadline: Deadline): Promise<ResponseHead> {
    const { authorization } = this.#options;
    const headers = authorization
      ? [...this.#headers, 'authorization', await authorization.value()]
      : this.#headers;
    const { origin, path } = this.#parseUrl(exchange.url);
    exchange.markSent();
    deadline.onEnd = () => receiver.abort(new DOMException('This operation was aborted', 'AbortError'));
    if (!deadline.isAborted) this.#connection.send(origin, { path, method: 'GET', headers }, receiver);
    return receiver.done;
  }

  /** An endpoint is asked for by the same URL again and again. */
  #parseUrl(url: string): RequestTarget {
    if (this.#lastTarget?.url !== url) {
      const { origin, pathname, search } = new URL(url);
      this.#lastTarget = { url, origin, path: pathname + search };
    }
    return this.#lastTarget;
  }

  #newReceiver(exchange: Exchange): ResponseReceiver {
    const max = this.#options.limits.encodedBytes;
    return new ResponseReceiver({
      pool: BUFFER_POOL,
      onHead: head => {
        exchange.markResponded(head);
        if (head.status !== 200) return 'discard';
        this.#checkHead(exchange, head);
        return 'keep';
      },
      onBytes: bytes => {
        exchange.encodedBytes += bytes;
        if (exchange.encodedBytes <= max) return;
        const problem = `sent ${exchange.encodedBytes} bytes of a body and was not at its end`;
        throw new FetchError('too_large', formatLimitExceeded(problem, 'encodedBytes', max));
      },
    });
  }

  /** Throws what speaks against reading the body. */
  #checkHead({ contentType }: Exchange, { headers }: ResponseHead): void {
    if (formatOf(contentType) === 'json') {
      const expected = 'expected text/plain (Prometheus exposition format)';
      throw new FetchError(
        'not_prometheus',
        `returned non-Prometheus content-type 'application/json'; ${expected}`,
      );
    }
    const max = this.#options.limits.encodedBytes;
    const contentLength = Number(headers['content-length'] ?? 0);
    if (contentLength > max)
      throw new FetchError(
        'too_large',
        formatLimitExceeded(`sent a body of ${contentLength} bytes`, 'encodedBytes', max),
      );
  }

  async #decode(exchange: Exchange, receiver: ResponseReceiver, { headers }: ResponseHead): Promise<void> {
    const { decodedBytes } = this.#options.limits;
    const encoded = receiver.body;
    const body = await decodeBody(encoded, headers['content-encoding'], decodedBytes);
    exchange.body = body;
    if (body === encoded) exchange.release = () => receiver.release();
    else receiver.release();
  }

  get #hasCredentials(): boolean {
    const { authorization, headers } = this.#options;
    return authorization !== undefined || Object.keys(lowerCaseNames(headers)).includes('authorization');
  }
}

/** The headers of every request, names and values in turn; an authorization of its own takes the place of a user's. */
function buildHeaders({ headers, authorization, compressed }: FetcherOptions): string[] {
  const all: Record<string, string> = {
    accept: ACCEPT,
    'accept-encoding': compressed ? ACCEPTED_ENCODINGS : 'identity',
    'user-agent': 'servelens',
    ...lowerCaseNames(headers),
  };
  if (authorization) delete all.authorization;
  return Object.entries(all).flat();
}

/** Names of headers are the same in any case; ours must not stand beside a user's of the same name. */
function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function findRedirect({ status, headers }: ResponseHead): string | undefined {
  if (status === 200 || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const location: string | readonly string[] | undefined = headers.location;
  return typeof location === 'object' ? location[0] : location;
}

/** Where a redirect leads. Only within the host, and never out of TLS: our credentials go with us. */
function resolveRedirect(from: string, location: string): string {
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
