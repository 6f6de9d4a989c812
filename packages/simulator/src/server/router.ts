import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from '../profiles/profile.ts';
import { CompletionApi } from './completion.ts';
import type { Control } from './control.ts';
import { answerControl, answerTruth } from './controls.ts';
import { answerEmbeddings } from './embedding.ts';
import type { Live } from './live.ts';
import { answerScrape } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { ApiError, replyError, replyJson } from './reply.ts';

/** Answers one request, which had arrived at `receivedNs`. */
type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  receivedNs: number,
) => void | Promise<void>;

/** What the server wants of its clients. */
export interface RouterOptions {
  /** Bearer token for everything under /v1. */
  readonly apiKey?: string;
  /** Bearer token for the pages with metrics. */
  readonly metricsKey?: string;
  /** Whether POST /control is answered. */
  readonly controlEndpoint?: boolean;
  /** Whether GET /truth is answered. */
  readonly truthEndpoint?: boolean;
}

/** Finds who answers a request, and sees to keys, errors and the server's own counting of requests. */
export class Router {
  readonly #live: Live;
  readonly #control: Control;
  readonly #options: RouterOptions;
  readonly #routes: ReadonlyMap<string, Handler>;
  /** Requests that have been seen. */
  readonly #inbox: Outbox;

  constructor(live: Live, control: Control, options: RouterOptions) {
    this.#live = live;
    this.#inbox = new Outbox(live.arrivals);
    this.#control = control;
    this.#options = options;
    const completions = new CompletionApi(live);
    const routes: [string, Handler][] = [
      ['GET /health', (_, response) => void response.writeHead(200, { 'content-length': 0 }).end()],
      ['GET /v1/models', (_, response) => replyJson(response, 200, models(live))],
      [
        'POST /v1/chat/completions',
        (request, response, receivedNs) =>
          completions.answer('chat_completions', request, response, receivedNs),
      ],
      [
        'POST /v1/completions',
        (request, response, receivedNs) => completions.answer('completions', request, response, receivedNs),
      ],
      ['POST /v1/embeddings', (request, response) => answerEmbeddings(live, request, response)],
    ];
    if (options.controlEndpoint) {
      routes.push(['POST /control', (request, response) => answerControl(control, request, response)]);
    }
    if (options.truthEndpoint) {
      routes.push(['GET /truth', (request, response) => answerTruth(live, control, request, response)]);
    }
    this.#routes = new Map(routes);
  }

  /** Answers a request that came to one of the server's ports. */
  answer(port: Page['port'], request: IncomingMessage, response: ServerResponse): void {
    const receivedNs = this.#live.arrivedNs(request.socket);
    this.#inbox.add(response, () => void this.#take(port, request, response, receivedNs));
  }

  async #take(
    port: Page['port'],
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    try {
      const path = pathOf(request);
      const page = this.#live.simulation.pages.find(
        one => one.port === port && (one.path === path || `${one.path}/` === path),
      );
      if (page) await this.#scrape(page, request, response);
      else await this.#call(port, path, request, response, receivedNs);
    } catch (error) {
      answerFailure(response, error);
    }
  }

  async #scrape(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkKey(request, this.#options.metricsKey);
    await answerScrape(this.#live, page, this.#control.plan, request, response);
  }

  async #call(
    port: Page['port'],
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    if (port === 'main') this.#count(path, request, response);
    const handler = port === 'main' ? this.#routes.get(`${request.method} ${path}`) : undefined;
    if (!handler) {
      const known = port === 'main' && [...this.#routes.keys()].some(route => route.endsWith(` ${path}`));
      replyJson(response, known ? 405 : 404, { detail: known ? 'Method Not Allowed' : 'Not Found' });
      return;
    }
    if (path.startsWith('/v1/')) checkKey(request, this.#options.apiKey);
    await handler(request, response, receivedNs);
  }

  /** Lets the profile count the request when it has been answered, or its client is gone. */
  #count(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (!path.startsWith('/v1/')) return;
    const startMs = performance.now();
    response.once('close', () => {
      this.#live.simulation.profile.exchanged?.({
        handler: path,
        method: request.method ?? 'GET',
        status: response.statusCode,
        durationS: (performance.now() - startMs) / 1e3,
        requestBytes: Number(request.headers['content-length'] ?? 0),
        responseBytes: Number(response.getHeader('content-length') ?? 0),
      });
    });
  }
}

/** Throws ApiError for what is no path, such as `//`. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const base = 'http://localhost';
  if (!URL.canParse(url, base))
    throw new ApiError(400, `the request's target is ${JSON.stringify(url)}; a path is expected`);
  return new URL(url, base).pathname;
}

function models(live: Live): object {
  const { model, maxModelLen } = live.simulation.options;
  const created = Math.floor(Date.now() / 1000);
  const card = {
    id: model,
    object: 'model',
    created,
    owned_by: 'servelens',
    root: model,
    max_model_len: maxModelLen,
  };
  return { object: 'list', data: [card] };
}

function checkKey(request: IncomingMessage, key: string | undefined): void {
  if (key === undefined || request.headers.authorization === `Bearer ${key}`) return;
  throw new ApiError(401, 'the Authorization header does not hold the key of this server');
}

function answerFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof ApiError) replyError(response, error);
  else replyError(response, new ApiError(500, error instanceof Error ? error.message : String(error)));
}
