import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { describeSystemError } from '@org/core';

/** TLS parameters of a request, as options of `tls.connect`. */
export interface RequestTls {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: RequestTls;
  /** Manages the connection; `tls` is then ignored. */
  readonly agent?: Agent;
  readonly signal: AbortSignal;
  /** Maximum time to the last byte of the body or, with `openResponse`, to the headers, in milliseconds. */
  readonly timeoutMs: number;
}

/** A complete response. */
export interface TextResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Thrown if there is no complete response. The message is the end of a sentence, such as `connection refused`. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

const MAX_BODY_BYTES = 256 * 2 ** 20;

/** Descriptions of failures by error code. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the name server does not respond',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server is not from a trusted CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server is not from a trusted CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server is not from a trusted CA',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
};

/** Sends a GET request and reads the whole body. Throws `RequestError` if there is no complete response. */
export async function requestText(url: string, options: RequestOptions): Promise<TextResponse> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  const abort = (): void => deadline.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await send(url, { ...options, signal: deadline.signal });
    return { status: response.statusCode!, headers: response.headers, text: await readBody(response) };
  } catch (error) {
    throw toRequestError(error, deadline.signal.aborted && !options.signal.aborted, options.timeoutMs);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
  }
}

/**
 * Sends a GET request and returns the response when its headers have arrived. Aborting the signal ends it. Throws
 * `RequestError` if there is no response.
 */
export async function openResponse(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  const abort = (): void => deadline.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await send(url, { ...options, signal: deadline.signal });
    response.once('close', () => options.signal.removeEventListener('abort', abort));
    return response;
  } catch (error) {
    options.signal.removeEventListener('abort', abort);
    throw toRequestError(error, deadline.signal.aborted && !options.signal.aborted, options.timeoutMs);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the body of a response as text. Throws `RequestError` if it is too large. */
export async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RequestError(`the response has more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Describes why a request failed, as the end of a sentence. */
export function describeRequestError(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  return DESCRIPTIONS[code] ?? describeSystemError(error);
}

function send(url: string, { headers, tls, agent, signal }: RequestOptions): Promise<IncomingMessage> {
  const isTls = url.startsWith('https:');
  const options = {
    signal,
    headers: { 'user-agent': 'servelens', accept: 'application/json', ...headers },
    agent: agent ?? false,
    ...(isTls && agent === undefined ? { ...tls, ca: tls?.ca ? [...tls.ca] : undefined } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = isTls ? requestHttps(url, options, resolve) : requestHttp(url, options, resolve);
    sent.on('error', reject);
    sent.end();
  });
}

function toRequestError(error: unknown, hasTimedOut: boolean, timeoutMs: number): RequestError {
  if (error instanceof RequestError) return error;
  const message = hasTimedOut ? `no response within ${timeoutMs / 1000} s` : describeRequestError(error);
  return new RequestError(message, { cause: error });
}
