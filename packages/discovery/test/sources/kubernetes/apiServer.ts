import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadCluster } from '../../../src/sources/kubernetes/cluster.ts';
import {
  KubernetesSource,
  type KubernetesSourceOptions,
} from '../../../src/sources/kubernetes/kubernetesSource.ts';
import type { KubernetesObject } from '../../../src/sources/kubernetes/objects.ts';
import { sendJson, startWebServer } from '../webServer.ts';

/** A request that the server received. */
export interface ApiRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
}

/** Returns a status code for a request that fails; undefined for success. */
type Rule = (request: ApiRequest) => number | undefined;

const FORBIDDEN_MESSAGE = 'pods is forbidden: User "system:serviceaccount:llm:bench" cannot do that';

function sendStatus(response: ServerResponse, code: number, message: string): void {
  sendJson(response, { kind: 'Status', code, message }, code);
}

/** A server on loopback that lists and watches objects like the API of Kubernetes. */
export class ApiServer {
  readonly requests: ApiRequest[] = [];
  readonly lists = new Map<string, { items: readonly KubernetesObject[]; version: string }>();
  /** Decides which requests fail. */
  rule: Rule = () => undefined;
  url = '';
  readonly #watches: ServerResponse[] = [];
  readonly #wakes: (() => void)[] = [];

  static async start(): Promise<ApiServer> {
    const server = new ApiServer();
    server.url = await startWebServer((message, response) => {
      const url = new URL(message.url!, 'http://localhost');
      const { authorization } = message.headers;
      server.#respond({ path: url.pathname, query: url.searchParams, authorization }, response);
    });
    return server;
  }

  /** Waits until the number of watches that were started is at least `count`. */
  async waitForWatches(count: number): Promise<void> {
    while (this.#watches.length < count) await new Promise<void>(resolve => this.#wakes.push(resolve));
  }

  /** Sends an event to all watches. */
  send(type: string, object: unknown): void {
    for (const watch of this.#watches)
      if (!watch.writableEnded) watch.write(`${JSON.stringify({ type, object })}\n`);
  }

  /** Ends all watches, as the server does after some minutes. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
  }

  get listed(): readonly string[] {
    return this.requests.filter(({ query }) => !query.has('watch')).map(({ path }) => path);
  }

  get watchedVersions(): readonly (string | null)[] {
    return this.requests
      .filter(({ query }) => query.has('watch'))
      .map(({ query }) => query.get('resourceVersion'));
  }

  #respond(request: ApiRequest, response: ServerResponse): void {
    this.requests.push(request);
    const status = this.rule(request);
    const list = this.lists.get(request.path);
    if (status !== undefined) sendStatus(response, status, FORBIDDEN_MESSAGE);
    else if (request.query.has('watch')) this.#addWatch(response);
    else if (list) this.#sendPage(list, request, response);
    else sendStatus(response, 404, 'not found');
  }

  #addWatch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    this.#watches.push(response);
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** Sends two objects in each page. */
  #sendPage(
    { items, version }: { readonly items: readonly KubernetesObject[]; readonly version: string },
    { query }: ApiRequest,
    response: ServerResponse,
  ): void {
    const start = Number(query.get('continue') ?? 0);
    const end = start + 2;
    sendJson(response, {
      items: items.slice(start, end),
      metadata: { resourceVersion: version, ...(end < items.length ? { continue: String(end) } : {}) },
    });
  }
}

/** Options of a source; the namespace is llm by default, and undefined stands for all namespaces. */
type SourceOptions = Partial<Omit<KubernetesSourceOptions, 'namespace'>> & {
  readonly namespace?: string | undefined;
};

/** Creates a source of the pods of a server. */
export function createSource(url: string, given: SourceOptions = {}): KubernetesSource {
  const { namespace, ...options }: SourceOptions = { namespace: 'llm', ...given };
  return new KubernetesSource({
    cluster: loadCluster({ kubeconfig: writeKubeconfig(url) }),
    acceptsAnnotation: false,
    usesMonitors: false,
    usesProxy: false,
    timeoutMs: 30_000,
    retryMs: 20,
    ...(namespace === undefined ? {} : { namespace }),
    ...options,
  });
}

/** Writes a kubeconfig with a token for one test. Returns its path. */
export function writeKubeconfig(server: string, user: unknown = { token: 'hunter2' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server } }],
    users: [{ name: 'bench', user }],
    contexts: [
      { name: 'main', context: { cluster: 'test', user: 'bench', namespace: 'llm' } },
      { name: 'other', context: { cluster: 'test', user: 'bench' } },
    ],
    'current-context': 'main',
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
