import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { redactUrl } from '@org/core';
import {
  describeRequestError,
  openResponse,
  RequestError,
  type RequestOptions,
  readBody,
  requestText,
} from '../httpRequest.ts';
import { SourceError } from '../sourceError.ts';
import { createApiError, type Verb } from './apiError.ts';
import { type Cluster, findAuthorization } from './cluster.ts';
import type { KubernetesObject } from './objects.ts';
import { buildResourcePath, describePlace, type Resource } from './resource.ts';

/** Objects, and the version of their list. A watch continues from this version. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly version: string;
}

/** A change that a watch reports. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** Parameters of a request, without those that are undefined. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Maximum number of objects of one response to a list request. */
const PAGE_SIZE = 500;
/** Duration after which the server ends a watch, in seconds. */
const WATCH_SECONDS = 240;
/** Time after which a watch that the server has not ended is given up, in milliseconds. */
const WATCH_TIMEOUT_MS = (WATCH_SECONDS + 30) * 1000;
const KEEP_ALIVE_MS = 30_000;

/** Lists and watches objects: https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes */
export class KubernetesApi {
  readonly #cluster: Cluster;
  readonly #timeoutMs: number;

  constructor(cluster: Cluster, timeoutMs: number) {
    this.#cluster = cluster;
    this.#timeoutMs = timeoutMs;
  }

  /** Lists all objects, in pages. Throws `SourceError` if a request fails, `ApiError` if the server refuses it. */
  async list<T extends KubernetesObject>(resource: Resource, signal: AbortSignal): Promise<ObjectList<T>> {
    const items: T[] = [];
    let position: string | undefined;
    for (;;) {
      const query = { limit: PAGE_SIZE, continue: position };
      const page = await this.#requestPage<T>(resource, query, signal);
      items.push(...(page.items ?? []));
      position = page.metadata?.continue || undefined;
      if (position === undefined) return { items, version: page.metadata?.resourceVersion ?? '' };
    }
  }

  /** Yields the changes since a version, until the server ends the response. Throws like `list`. */
  async *watch<T extends KubernetesObject>(
    resource: Resource,
    version: string,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const query = {
      watch: 1,
      resourceVersion: version,
      allowWatchBookmarks: true,
      timeoutSeconds: WATCH_SECONDS,
    };
    const response = await this.#open(resource, query, signal);
    response.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const timer = setTimeout(() => response.destroy(), WATCH_TIMEOUT_MS);
    try {
      yield* this.#readEvents<T>(resource, response);
    } finally {
      clearTimeout(timer);
      response.destroy();
    }
  }

  async *#readEvents<T extends KubernetesObject>(
    resource: Resource,
    response: IncomingMessage,
  ): AsyncGenerator<WatchEvent<T>> {
    for await (const line of readLines(response)) {
      const event = parseEvent<T>(line);
      if (event?.type !== 'ERROR') {
        if (event) yield event;
        continue;
      }
      const status = (event.object as unknown as { readonly code?: number }).code ?? 500;
      throw createApiError(this.#cluster, resource, 'watch', status, JSON.stringify(event.object));
    }
  }

  async #requestPage<T>(
    resource: Resource,
    query: Query,
    signal: AbortSignal,
  ): Promise<{
    readonly items?: readonly T[];
    readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  }> {
    const { url, options } = await this.#createRequest(resource, query, signal);
    const { status, text } = await this.#withErrors(resource, 'list', () => requestText(url, options));
    if (status !== 200) throw createApiError(this.#cluster, resource, 'list', status, text);
    try {
      return JSON.parse(text);
    } catch {
      throw new SourceError(
        `${redactUrl(this.#cluster.server)} did not return JSON; expected the API of Kubernetes`,
      );
    }
  }

  /** Starts a watch. */
  async #open(resource: Resource, query: Query, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, options } = await this.#createRequest(resource, query, signal);
    return await this.#withErrors(resource, 'watch', async () => {
      const response = await openResponse(url, options);
      if (response.statusCode === 200) return response;
      const body = await readBody(response);
      throw createApiError(this.#cluster, resource, 'watch', response.statusCode!, body);
    });
  }

  async #createRequest(
    resource: Resource,
    query: Query,
    signal: AbortSignal,
  ): Promise<{ readonly url: string; readonly options: RequestOptions }> {
    const credentials = await this.#cluster.createRequestOptions();
    const authorization = findAuthorization(credentials);
    const { agent } = credentials;
    const options = {
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      ...(typeof agent === 'object' ? { agent } : {}),
      signal,
      timeoutMs: this.#timeoutMs,
    };
    return { url: this.#buildUrl(resource, query), options };
  }

  /** Runs `send`, and converts the error of a request without a response to `SourceError`. */
  async #withErrors<T>(resource: Resource, verb: Verb, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const action = `cannot ${verb} ${resource.plural} ${describePlace(resource)}`;
      const server = redactUrl(this.#cluster.server);
      throw new SourceError(`${action}: ${server} is not reachable: ${describeRequestError(error)}`);
    }
  }

  #buildUrl(resource: Resource, query: Query): string {
    const { labelSelector } = resource;
    const entries = Object.entries({ ...query, labelSelector }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(
      entries.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `${this.#cluster.server}${buildResourcePath(resource)}?${parameters}`;
  }
}

/** Yields the lines of a response. A connection that is closed early ends the lines. */
async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  const lines = createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY });
  // Errors of the response end the lines; without a listener, they would end the process.
  response.on('error', () => lines.close());
  response.on('close', () => lines.close());
  for await (const line of lines) if (line !== '') yield line;
}

/** Parses a line; undefined if it is incomplete because the connection was closed. */
function parseEvent<T>(line: string): WatchEvent<T> | undefined {
  try {
    return JSON.parse(line) as WatchEvent<T>;
  } catch {
    return undefined;
  }
}
