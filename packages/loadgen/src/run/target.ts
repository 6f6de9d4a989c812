import { decodePercent, hashText } from '@org/core';
import type { CustomFormat } from '../endpoint/customEndpoints.ts';
import type { Endpoint, Message } from '../endpoint/endpoint.ts';
import { encodeForm, FORM_TYPE } from '../endpoint/multipart.ts';
import { toFields } from '../endpoint/responseFields.ts';
import type { Turn } from '../input/conversation.ts';

export const MODEL_SELECTIONS = ['round_robin', 'random'] as const;
/** The choice of a model for each session. */
export type ModelSelection = (typeof MODEL_SELECTIONS)[number];

/** The server to send requests to, and the options that all requests share. */
export interface Target {
  /** Base URLs, used in rotation, such as `http://host:8000`. */
  readonly urls: readonly string[];
  /** Model of all requests, or several models among which `modelSelection` chooses one for each session. */
  readonly model: string | readonly string[];
  /** Choice of a model for each session: in turn (default), or at random. */
  readonly modelSelection?: ModelSelection;
  /** Path of the API; by default, the standard path. */
  readonly path?: string;
  readonly streaming: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey?: string;
  /** Name of the header that identifies the session of a request; `x-correlation-id` by default. */
  readonly sessionHeader?: string;
  /** Additional fields of the request body, which override others of the same name. */
  readonly extraInputs?: Readonly<Record<string, unknown>>;
  /** Request the server's token counts at the end of a stream; by default, where the API does not always have them. */
  readonly includeUsage?: boolean;
  /** Send `max_tokens` instead of `max_completion_tokens` to a chat endpoint; false by default. */
  readonly legacyMaxTokens?: boolean;
  /** Request the server's token counts in each chunk of a stream; false by default. */
  readonly chunkUsage?: boolean;
  /** The format of bodies and responses of the APIs `raw` and `template`. */
  readonly format?: CustomFormat;
}

/**
 * Returns the model for a session. The choice depends only on the seed and the session, so that it is the same
 * for any number of threads.
 */
export function selectModel({ model, modelSelection }: Target, session: number, seed: number): string {
  if (typeof model === 'string') return model;
  const index = modelSelection === 'random' ? hashText(`model ${session}`, seed) : session;
  return model[index % model.length]!;
}

/** A parsed URL of a target. */
export interface TargetAddress {
  /** The URL as given, without userinfo. */
  readonly url: string;
  readonly origin: string;
  readonly path: string;
  /** `Authorization` header from the URL's userinfo. */
  readonly authorization: string | undefined;
}

/**
 * Parses the URLs of a target. The scheme defaults to http. The API's path is appended to the path of the URL,
 * without repeating a part that the URL already ends with (the whole path, or `/v1`). Throws RangeError if
 * there are no URLs, or if a URL is invalid.
 */
export function parseAddresses(target: Target, endpoint: Endpoint): readonly TargetAddress[] {
  if (target.urls.length === 0) throw new RangeError('urls is empty; expected at least one URL');
  const path = (target.streaming ? endpoint.streamPath : undefined) ?? endpoint.path;
  return target.urls.map(url => parseAddress(url, target.path ?? path));
}

/** Adds the scheme http to a URL without one. */
export function addScheme(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
}

function parseAddress(url: string, path: string): TargetAddress {
  const absolute = addScheme(url);
  if (!URL.canParse(absolute))
    throw new RangeError(`invalid URL ${JSON.stringify(url)}; expected http://HOST:PORT`);
  const parsed = new URL(absolute);
  const { origin, pathname, search, protocol } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError(`unsupported URL ${JSON.stringify(url)}; expected http:// or https://`);
  const base = pathname.replace(/\/+$/, '');
  const apiPath = path === '' || path.startsWith('/') ? path : `/${path}`;
  const isComplete = base !== '' && base.endsWith(apiPath);
  const suffix = base.endsWith('/v1') && apiPath.startsWith('/v1/') ? apiPath.slice('/v1'.length) : apiPath;
  const credentials = readUrlCredentials(parsed);
  return {
    url: credentials ? url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, '$1') : url,
    origin,
    path: ((isComplete ? base : base + suffix) || '/') + search,
    authorization: credentials && `Basic ${credentials.basic}`,
  };
}

/** User and password of a URL, decoded, and the credentials of a Basic Authorization header. */
export interface UrlCredentials {
  readonly user: string;
  readonly password: string;
  /** `user:password` in UTF-8 and Base64 (RFC 7617). */
  readonly basic: string;
}

/** Returns the credentials in a URL; undefined if the URL has no userinfo. */
export function readUrlCredentials({ username, password }: URL): UrlCredentials | undefined {
  if (username === '' && password === '') return undefined;
  const userinfo = { user: decodePercent(username), password: decodePercent(password) };
  return { ...userinfo, basic: Buffer.from(`${userinfo.user}:${userinfo.password}`).toString('base64') };
}

/** Returns the headers of every request as alternating names and values. Throws RangeError for an invalid header. */
export function buildHeaders(
  target: Target,
  endpoint: Pick<Endpoint, 'headers' | 'isForm'> = {},
): readonly string[] {
  const headers = new Map<string, [string, string]>([
    ['content-type', ['content-type', endpoint.isForm ? FORM_TYPE : 'application/json']],
    ['accept', ['accept', target.streaming ? 'text/event-stream' : 'application/json']],
    ['accept-encoding', ['accept-encoding', 'identity']],
    ['user-agent', ['user-agent', 'servelens']],
  ]);
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) headers.set(name, [name, value]);
  if (target.apiKey !== undefined) headers.set('authorization', ['authorization', `Bearer ${target.apiKey}`]);
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new RangeError(
        `invalid header ${JSON.stringify(name)}; expected a valid name and a value of one line`,
      );
    }
    headers.set(name.toLowerCase(), [name, value]);
  }
  return [...headers.values()].flat();
}

/** The body of a request, and the response length that it requests. */
export interface RequestBody {
  /** JSON in UTF-8, or a form. */
  readonly bytes: Buffer;
  /** The fields of the body. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Maximum response length, in tokens; undefined if the server chooses it. */
  readonly requestedOutput: number | undefined;
}

/** Builds the body of a request. `target.extraInputs` may replace the requested response length. */
export function buildBody(...request: Parameters<typeof buildFields>): RequestBody {
  const [endpoint] = request;
  const fields = buildFields(...request);
  const parameters = readParameters(endpoint, fields);
  const requestedOutput = endpoint.limitFields
    .map(name => parameters[name])
    .find(limit => limit !== undefined);
  return {
    fields,
    bytes: endpoint.isForm ? encodeForm(fields) : Buffer.from(JSON.stringify(fields)),
    requestedOutput: typeof requestedOutput === 'number' ? requestedOutput : undefined,
  };
}

/**
 * Returns the fields of the body of a request: a recorded body unchanged, otherwise the fields of the API.
 * `target.extraInputs`, and then `extra` of the turn, override fields of the same name.
 */
export function buildFields(
  endpoint: Endpoint,
  target: Target,
  model: string,
  messages: readonly Message[],
  turn: Pick<Turn, 'maxTokens' | 'payload' | 'messages' | 'extra'>,
): Readonly<Record<string, unknown>> {
  const { maxTokens, payload, extra } = turn;
  if (payload !== undefined) return payload;
  const fields = endpoint.buildBody({
    model,
    messages,
    maxTokens,
    stream: target.streaming && endpoint.canStream,
    usage: target.includeUsage ?? true,
    requiresUsage: target.includeUsage === true,
    legacyMaxTokens: target.legacyMaxTokens ?? false,
    chunkUsage: target.chunkUsage ?? false,
  });
  const standardFields = turn.messages ? replaceLastMessage(fields, turn.messages) : fields;
  const { parametersField } = endpoint;
  const overrides = { ...target.extraInputs, ...extra };
  if (parametersField === undefined) return { ...standardFields, ...overrides };
  const parameters = { ...readParameters(endpoint, standardFields), ...overrides };
  return { ...standardFields, [parametersField]: parameters };
}

/** Replaces the last message of a body by others; a body without messages is returned unchanged. */
function replaceLastMessage(
  fields: Record<string, unknown>,
  messages: readonly unknown[],
): Record<string, unknown> {
  if (!Array.isArray(fields.messages)) return fields;
  return { ...fields, messages: [...(fields.messages as unknown[]).slice(0, -1), ...messages] };
}

/** Returns the parameters in the body of a request. */
function readParameters(
  { parametersField }: Endpoint,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return parametersField === undefined ? fields : toFields(fields[parametersField]);
}
