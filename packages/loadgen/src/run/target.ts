import type { Endpoint, Message } from '../endpoint/endpoint.ts';
import { readUrlCredentials } from './urlCredentials.ts';

/** Where requests go and what they all have in common. */
export interface Target {
  /** Base URLs, used in turn: `http://host:8000`. */
  readonly urls: readonly string[];
  readonly model: string;
  /** Path instead of the endpoint type's own. */
  readonly path?: string;
  readonly streaming: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey?: string;
  /** Fields of the body that take the place of ours. */
  readonly extraInputs?: Readonly<Record<string, unknown>>;
  /** Whether a stream is asked to end with the server's counts; true by default. */
  readonly includeUsage?: boolean;
  /** Say `max_tokens` to a chat endpoint; false by default. */
  readonly legacyMaxTokens?: boolean;
}

/** A URL that requests go to, taken apart. */
export interface Address {
  /** As it was given, without the name and the password in it. */
  readonly url: string;
  readonly origin: string;
  readonly path: string;
  /** Of the name and the password in the URL, as `Authorization` has it. */
  readonly authorization: string | undefined;
}

/**
 * The addresses of a target. A URL without a scheme is HTTP, and a path at its end stays in front of the endpoint's own; one
 * that ends with the endpoint's own path already, or with `/v1`, is not given it twice. Throws for what is no URL.
 */
export function addressesOf(target: Target, endpoint: Endpoint): readonly Address[] {
  if (target.urls.length === 0) throw new RangeError('urls is empty; at least one URL is accepted');
  return target.urls.map(url => addressOf(url, target.path ?? endpoint.path));
}

function addressOf(url: string, path: string): Address {
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(given))
    throw new RangeError(`url is ${JSON.stringify(url)}; http://HOST:PORT is accepted`);
  const parsed = new URL(given);
  const { origin, pathname, search, protocol } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError(`url is ${JSON.stringify(url)}; http:// and https:// are accepted`);
  const own = path.startsWith('/') ? path : `/${path}`;
  const base = pathname.replace(/\/+$/, '');
  const isWhole = base !== '' && base.endsWith(own);
  const rest = base.endsWith('/v1') && own.startsWith('/v1/') ? own.slice('/v1'.length) : own;
  const credentials = readUrlCredentials(parsed);
  return {
    url: credentials ? url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, '$1') : url,
    origin,
    path: (isWhole ? base : base + rest) + search,
    authorization: credentials && `Basic ${credentials.basic}`,
  };
}

/** Names and values of the headers of every request, by turns. Throws for a header that cannot be sent. */
export function headersOf(target: Target): readonly string[] {
  const headers = new Map<string, [string, string]>([
    ['content-type', ['content-type', 'application/json']],
    ['accept', ['accept', target.streaming ? 'text/event-stream' : 'application/json']],
    ['accept-encoding', ['accept-encoding', 'identity']],
    ['user-agent', ['user-agent', 'servelens']],
  ]);
  if (target.apiKey !== undefined) headers.set('authorization', ['authorization', `Bearer ${target.apiKey}`]);
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new RangeError(
        `header ${JSON.stringify(name)} cannot be sent; a name and a text of one line are accepted`,
      );
    }
    headers.set(name.toLowerCase(), [name, value]);
  }
  return [...headers.values()].flat();
}

/** The JSON body of a request. */
export function bodyOf(
  endpoint: Endpoint,
  target: Target,
  model: string,
  messages: readonly Message[],
  maxTokens: number | undefined,
): Buffer {
  const fields = endpoint.fields({
    model,
    messages,
    maxTokens,
    stream: target.streaming && endpoint.streams,
    usage: target.includeUsage ?? true,
    legacyMaxTokens: target.legacyMaxTokens ?? false,
  });
  return Buffer.from(JSON.stringify({ ...fields, ...target.extraInputs }));
}
