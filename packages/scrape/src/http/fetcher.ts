import type { Clock } from '@org/core';
import type { Authorization } from '../credentials/authorization.ts';
import type { TlsConfig } from '../credentials/tlsConfig.ts';
import { ACCEPT, detectFormat } from '../exposition/contentType.ts';
import { BufferPool } from './bufferPool.ts';
import { Connection, type Lookup } from './connection.ts';
import { ACCEPTED_ENCODINGS, decodeBody } from './contentEncoding.ts';
import { Deadline } from './deadline.ts';
import { Exchange, type FetchResult } from './exchange.ts';
import { createStatusError, FetchError, toFailure } from './failure.ts';
import { FailureDiagnosis } from './failureDiagnosis.ts';
import { formatLimitExceeded } from './limits.ts';
import { type ResponseHead, ResponseReceiver } from './responseReceiver.ts';

/** The time and size limits of one fetch. */
export interface FetchLimits {
  /**
   * Maximum time from the start of the fetch to the last byte of the body, in milliseconds. Includes
   * redirects.
   */
  readonly timeoutMs: number;
  /** Maximum size of the body as transferred, in bytes. */
  readonly encodedBytes: number;
  /** Maximum size of the decoded body, in bytes. */
  readonly decodedBytes: number;
}

export interface FetcherOptions {
  readonly clock: Clock;
  readonly limits: FetchLimits;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Supplies the Authorization header. Takes precedence over an Authorization header in `headers`. */
  readonly authorization?: Authorization;
  readonly tls?: TlsConfig;
  /** True to request a compressed body. */
  readonly compressed?: boolean;
  /** Resolves host names. Defaults to `dns.lookup`. */
  readonly lookup?: Lookup;
}

const MAX_REDIRECTS = 3;
/**
 * The buffers of all endpoints. A shared pool is small, because only a few responses are in flight at a time.
 */
const BUFFER_POOL = new BufferPool();

/** A URL and its parts that a request needs. */
interface RequestTarget {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

/**
 * Fetches the metrics page of one endpoint over a keep-alive connection, which is replaced after a failure.
 *
 * By default, responses are requested uncompressed, because compression costs the measured server more CPU
 * time than the transfer. Compressed responses are decoded in any case. Redirects are followed only within
 * the same host.
 */
export class Fetcher {
  readonly #connection: Connection;
  readonly #diagnosis: FailureDiagnosis;
  readonly #options: FetcherOptions;
  /** Alternating header names and values, without the header that `authorization` supplies. */
  readonly #headers: string[];
  #lastTarget: RequestTarget | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    const { limits, tls, lookup } = options;
    this.#headers = buildHeaders(options);
    this.#diagnosis = new FailureDiagnosis(lookup);
    this.#connection = new Connection({
      timeoutMs: limits.timeoutMs,
      ...(tls ? { tls } : {}),
      ...(lookup ? { lookup } : {}),
    });
  }

  /**
   * Fetches `url`. Errors are returned in `failure`; the promise is not rejected. Aborting `signal` ends the
   * fetch early.
   *
   * Two kinds of transient failures are retried once, immediately: a connection that was closed before any
   * response arrived, for example because of a keep-alive timeout of the server, and rejected credentials if
   * rereading them shows that they were rotated.
   */
  async fetch(url: string, signal?: AbortSignal): Promise<FetchResult> {
    const result = await this.#fetchOnce(url, signal);
    return (await this.#shouldRetry(result)) ? this.#fetchOnce(url, signal) : result;
  }

  /** Closes all connections. In-flight fetches fail. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #shouldRetry({ failure, firstByteNs }: FetchResult): Promise<boolean> {
    if (failure?.reason === 'connection_closed') return firstByteNs === undefined;
    const isRejected = failure?.reason === 'unauthorized' || failure?.reason === 'forbidden';
    return isRejected && (await this.#options.authorization?.renew()) === true;
  }

  async #fetchOnce(url: string, signal: AbortSignal | undefined): Promise<FetchResult> {
    const exchange = new Exchange(url, this.#options.clock);
    const { timeoutMs } = this.#options.limits;
    const deadline = new Deadline(timeoutMs, signal);
    try {
      await this.#followRedirects(exchange, deadline);
      this.#diagnosis.clear();
    } catch (thrown) {
      const error = this.#connection.tlsError ?? thrown;
      this.#connection.drop();
      exchange.failure = deadline.isAborted
        ? toFailure(error, deadline.hasTimedOut ? timeoutMs : undefined)
        : await this.#diagnosis.diagnose(error, exchange);
    } finally {
      deadline.end();
    }
    return exchange.toResult(this.#connection.address);
  }

  async #followRedirects(exchange: Exchange, deadline: Deadline): Promise<void> {
    for (let hops = 0; ; hops++) {
      const receiver = this.#createReceiver(exchange);
      const head = await this.#request(exchange, receiver, deadline);
      const location = findRedirect(head);
      if (location === undefined) {
        if (head.status !== 200) throw createStatusError(head.status, this.#hasCredentials);
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
      ? [...this.#headers, 'authorization', await authorization.readHeader()]
      : this.#headers;
    const { origin, path } = this.#parseUrl(exchange.url);
    exchange.markSent();
    deadline.onAbort = () => receiver.abort(new DOMException('This operation was aborted', 'AbortError'));
    if (!deadline.isAborted) this.#connection.send(origin, { path, method: 'GET', headers }, receiver);
    return receiver.done;
  }

  /** Parses a URL, reusing the previous result for the same URL: an endpoint's URL rarely changes. */
  #parseUrl(url: string): RequestTarget {
    if (this.#lastTarget?.url !== url) {
      const { origin, pathname, search } = new URL(url);
      this.#lastTarget = { url, origin, path: pathname + search };
    }
    return this.#lastTarget;
  }

  #createReceiver(exchange: Exchange): ResponseReceiver {
    const maxBytes = this.#options.limits.encodedBytes;
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
        if (exchange.encodedBytes <= maxBytes) return;
        const problem = `sent a body of at least ${exchange.encodedBytes} bytes`;
        throw new FetchError('too_large', formatLimitExceeded(problem, 'encodedBytes', maxBytes));
      },
    });
  }

  /** Throws `FetchError` if the headers announce a JSON body or a body that is too large. */
  #checkHead({ contentType }: Exchange, { headers }: ResponseHead): void {
    if (detectFormat(contentType) === 'json') {
      const expected = 'expected text/plain (Prometheus exposition format)';
      throw new FetchError(
        'not_prometheus',
        `returned non-Prometheus content-type 'application/json'; ${expected}`,
      );
    }
    const maxBytes = this.#options.limits.encodedBytes;
    const contentLength = Number(headers['content-length'] ?? 0);
    if (contentLength > maxBytes)
      throw new FetchError(
        'too_large',
        formatLimitExceeded(`sent a body of ${contentLength} bytes`, 'encodedBytes', maxBytes),
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

/**
 * Returns the headers of every request as alternating names and values. If `authorization` is set, a
 * configured Authorization header is omitted.
 */
function buildHeaders({ headers, authorization, compressed }: FetcherOptions): string[] {
  const allHeaders: Record<string, string> = {
    accept: ACCEPT,
    'accept-encoding': compressed ? ACCEPTED_ENCODINGS : 'identity',
    'user-agent': 'servelens',
    ...lowerCaseNames(headers),
  };
  if (authorization) delete allHeaders.authorization;
  return Object.entries(allHeaders).flat();
}

/**
 * Returns headers with lower-case names, so that a configured header replaces the default of the same name.
 */
function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the Location header of a redirect; undefined if the response is not a redirect. */
function findRedirect({ status, headers }: ResponseHead): string | undefined {
  if (status === 200 || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const location: string | readonly string[] | undefined = headers.location;
  return typeof location === 'object' ? location[0] : location;
}

/**
 * Returns the target URL of a redirect. Because credentials are sent to the target as well, throws
 * `FetchError` if the redirect leads to another host or from https to http.
 */
function resolveRedirect(sourceUrl: string, location: string): string {
  if (!URL.canParse(location, sourceUrl)) throw new FetchError('redirect', 'redirects to an invalid URL');
  const target = new URL(location, sourceUrl);
  const { host, protocol } = new URL(sourceUrl);
  if (target.host !== host || !/^https?:$/.test(target.protocol)) {
    const destination = /^https?:$/.test(target.protocol) ? target.origin : `a URL with ${target.protocol}`;
    throw new FetchError('redirect', `redirects to another host, ${destination}, which is not followed`);
  }
  if (protocol === 'https:' && target.protocol === 'http:')
    throw new FetchError('redirect', 'redirects from https to http, which is not followed');
  target.username = '';
  target.password = '';
  return target.href;
}
