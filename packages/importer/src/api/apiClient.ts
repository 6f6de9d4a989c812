import { redactUrl, SecretRedactor } from '@org/core';
import { RunInputError } from '@org/record';
import { type Target, toFailure } from '@org/scrape';
import { Client, type Dispatcher } from 'undici';

/** A response of an API. */
export interface ApiResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query below the base URL, such as `/api/v1/read`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
}

/** Thrown if a request fails. `status` is undefined if there was no response. */
export class ApiError extends RunInputError {
  readonly status: number | undefined;
  /** True if the same request may succeed later, for example after a reset connection. */
  readonly isTransient: boolean;

  constructor(message: string, status: number | undefined, isTransient: boolean) {
    super(message);
    this.status = status;
    this.isTransient = isTransient;
  }
}

/** Maximum length of the text of an error that is shown. */
const MAX_ERROR_CHARACTERS = 300;
/** Maximum size of a response that is read as a whole. */
const MAX_JSON_BYTES = 256 * 1024 ** 2;

/** Sends requests to an API at one base URL, with the credentials of a target. */
export class ApiClient {
  readonly #target: Target;
  readonly #base: URL;
  readonly #client: Client;
  #clockSkewMs = 0;

  /** `target` has the base URL, such as `http://host:9090` or `http://host/prometheus`, and its connection settings. */
  constructor(target: Target) {
    this.#target = target;
    this.#base = new URL(target.fetchUrl ?? target.url);
    const { tls, timeoutMs = 60_000 } = target.access ?? {};
    this.#client = new Client(this.#base.origin, {
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: {
        timeout: Math.min(timeoutMs, 10_000),
        ...(tls?.context ? { secureContext: tls.context } : {}),
        ...(tls?.insecure ? { rejectUnauthorized: false } : {}),
      },
    });
  }

  /** The base URL without credentials, for messages and exports. */
  get url(): string {
    return redactUrl(this.#target.url).replace(/\/+$/, '');
  }

  /** The clock of the server minus that of this machine, in milliseconds, by the Date header of the last response. */
  get clockSkewMs(): number {
    return this.#clockSkewMs;
  }

  /** Sends a request. Throws `ApiError` unless the response has status 200. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    let response = await this.#sendOnce(request);
    if (isRejected(response) && (await this.#target.access?.authorization?.renew()) === true) {
      await response.body.dump();
      response = await this.#sendOnce(request);
    }
    const { statusCode: status, headers, body } = response;
    const dateMs = Date.parse(String(headers.date));
    if (!Number.isNaN(dateMs)) this.#clockSkewMs = dateMs - Date.now();
    if (status !== 200) throw await this.#createStatusError(request, response);
    return {
      status,
      contentType: String(headers['content-type'] ?? ''),
      body: this.#readBody(request, body),
    };
  }

  /** Sends a GET request, and returns the field `data` of the response. Throws `ApiError` if that fails. */
  async getData(path: string, signal?: AbortSignal): Promise<unknown> {
    const { body } = await this.send({ method: 'GET', path, signal });
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of body) {
      length += part.length;
      if (length > MAX_JSON_BYTES)
        throw this.#createError(path, `sent more than ${MAX_JSON_BYTES} bytes`, false);
      parts.push(part);
    }
    try {
      return (JSON.parse(Buffer.concat(parts).toString('utf8')) as { readonly data?: unknown }).data;
    } catch {
      throw this.#createError(path, 'sent a response that is not JSON', false);
    }
  }

  async close(): Promise<void> {
    await this.#client.destroy();
  }

  async #sendOnce({ method, path, headers, body, signal }: ApiRequest): Promise<Dispatcher.ResponseData> {
    const prefix = this.#base.pathname.replace(/\/+$/, '');
    const query = this.#base.search.slice(1);
    const fullPath = `${prefix}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
    try {
      return await this.#client.request({
        method,
        path: fullPath,
        headers: { ...(await this.#createHeaders()), ...headers },
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw this.#toApiError(path, error);
    }
  }

  async #createHeaders(): Promise<Record<string, string>> {
    const { access, credentials } = this.#target;
    const authorization = access?.authorization
      ? await access.authorization.readHeader()
      : credentials && formatBasic(credentials);
    return { ...access?.headers, ...(authorization === undefined ? {} : { authorization }) };
  }

  async *#readBody(request: ApiRequest, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw this.#toApiError(request.path, error);
    }
  }

  #toApiError(path: string, error: unknown): ApiError {
    const { reason, message } = toFailure(error);
    const isTransient = reason === 'connection_closed' || reason === 'timeout' || reason === 'refused';
    return this.#createError(path, this.#redact(message), isTransient);
  }

  async #createStatusError(
    { path }: ApiRequest,
    { statusCode: status, body }: Dispatcher.ResponseData,
  ): Promise<ApiError> {
    const detail = this.#redact(readErrorText(await body.text().catch(() => '')));
    const advice = status === 401 || status === 403 ? `; ${this.#describeCredentials(status)}` : '';
    const text = `responded with HTTP status ${status}${detail === '' ? '' : `: ${detail}`}${advice}`;
    return this.#createError(path, text, status === 429 || status >= 500, status);
  }

  #describeCredentials(status: number): string {
    const { access, credentials } = this.#target;
    const hasHeader = Object.keys(access?.headers ?? {}).some(name => name.toLowerCase() === 'authorization');
    return access?.authorization || credentials || hasHeader
      ? `the credentials were rejected${status === 401 ? ' or have expired' : ''}`
      : 'set --bearer-token-file, --basic-auth-file or --header';
  }

  #createError(path: string, problem: string, isTransient: boolean, status?: number): ApiError {
    return new ApiError(`${this.url}${path.split('?')[0]} ${problem}`, status, isTransient);
  }

  /** Removes credentials that the server may have echoed in an error message. */
  #redact(text: string): string {
    const { access, credentials } = this.#target;
    const secrets = [
      ...(access?.authorization?.listSecrets() ?? []),
      ...Object.values(access?.headers ?? {}),
      ...(credentials ? [credentials.password] : []),
    ];
    return new SecretRedactor(secrets).redact(text);
  }
}

function isRejected({ statusCode }: Dispatcher.ResponseData): boolean {
  return statusCode === 401 || statusCode === 403;
}

function formatBasic({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Returns the message in the body of an error, which is JSON or text. */
function readErrorText(body: string): string {
  let text = body;
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    if (typeof error === 'string') text = error;
  } catch {
    // Not JSON.
  }
  const line = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > MAX_ERROR_CHARACTERS ? `${line.slice(0, MAX_ERROR_CHARACTERS)}…` : line;
}
