import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from '../profiles/profile.ts';
import { CompletionApi } from './completionApi.ts';
import type { Control } from './control.ts';
import { handleControl } from './controlEndpoint.ts';
import { handleEmbeddings } from './embeddings.ts';
import { ApiError, sendError, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';
import { handleScrape } from './metricsEndpoint.ts';
import { handleRanking, RANKING_APIS } from './rankings.ts';
import { TaskQueue } from './taskQueue.ts';
import { GENERATE, GENERATE_STREAM } from './textApis/generateApi.ts';
import { MESSAGES } from './textApis/messagesApi.ts';
import { CHAT, COMPLETIONS } from './textApis/openAiApi.ts';
import { RESPONSES } from './textApis/responsesApi.ts';
import type { TextApi } from './textApis/textApi.ts';
import { handleTruth } from './truthEndpoint.ts';

/** Handles a request that arrived at `receivedNs`, in ns since the start of the simulation. */
type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  receivedNs: number,
) => void | Promise<void>;

/** The APIs that generate text, by path. */
const TEXT_APIS: Readonly<Record<string, TextApi>> = {
  '/v1/chat/completions': CHAT,
  '/v1/completions': COMPLETIONS,
  '/v1/responses': RESPONSES,
  '/v1/messages': MESSAGES,
  '/generate': GENERATE,
  '/generate_stream': GENERATE_STREAM,
};

/** Paths of APIs, also those that are not under /v1. */
const API_PATHS: readonly string[] = [...Object.keys(TEXT_APIS), ...Object.keys(RANKING_APIS)];

/** Options for authentication and optional endpoints. */
export interface RouterOptions {
  /** Bearer token required under /v1. */
  readonly apiKey?: string;
  /** Bearer token required for the metrics pages. */
  readonly metricsKey?: string;
  /** Serve POST /control. */
  readonly controlEndpoint?: boolean;
  /** Serve GET /truth. */
  readonly truthEndpoint?: boolean;
}

/** Routes requests to handlers, checks keys, sends errors, and reports requests to the profile. */
export class Router {
  readonly #live: LiveSimulation;
  readonly #control: Control;
  readonly #options: RouterOptions;
  readonly #routes: ReadonlyMap<string, Handler>;
  /** Requests that have been read but not yet processed. */
  readonly #requestQueue: TaskQueue;

  constructor(live: LiveSimulation, control: Control, options: RouterOptions) {
    this.#live = live;
    this.#requestQueue = new TaskQueue();
    this.#control = control;
    this.#options = options;
    const completions = new CompletionApi(live);
    const routes: [string, Handler][] = [
      ['GET /health', (_, response) => void response.writeHead(200, { 'content-length': 0 }).end()],
      ['GET /v1/models', (_, response) => sendJson(response, 200, listModels(live))],
      ...Object.entries(TEXT_APIS).map(([path, api]): [string, Handler] => [
        `POST ${path}`,
        (request, response, receivedNs) => completions.handle(api, request, response, receivedNs),
      ]),
      ...Object.entries(RANKING_APIS).map(([path, format]): [string, Handler] => [
        `POST ${path}`,
        (request, response) => handleRanking(live, format, request, response),
      ]),
      ['POST /v1/embeddings', (request, response) => handleEmbeddings(live, request, response)],
    ];
    if (options.controlEndpoint) {
      routes.push(['POST /control', (request, response) => handleControl(control, request, response)]);
    }
    if (options.truthEndpoint) {
      routes.push(['GET /truth', (request, response) => handleTruth(live, control, request, response)]);
    }
    this.#routes = new Map(routes);
  }

  /** Handles a request to one of the server's ports. */
  handle(port: Page['port'], request: IncomingMessage, response: ServerResponse): void {
    const receivedNs = this.#live.readArrivalNs();
    this.#requestQueue.add(response, () => void this.#process(port, request, response, receivedNs));
  }

  async #process(
    port: Page['port'],
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    try {
      const path = parsePath(request);
      const page = this.#live.simulation.pages.find(
        candidate => candidate.port === port && (candidate.path === path || `${candidate.path}/` === path),
      );
      if (page) await this.#scrape(page, request, response);
      else await this.#dispatch(port, path, request, response, receivedNs);
    } catch (error) {
      sendFailure(response, error);
    }
  }

  async #scrape(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkKey(request, this.#options.metricsKey);
    await handleScrape(this.#live, page, this.#control.plan, request, response);
  }

  async #dispatch(
    port: Page['port'],
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    if (port === 'main') this.#reportWhenClosed(path, request, response);
    const handler = port === 'main' ? this.#routes.get(`${request.method} ${path}`) : undefined;
    if (!handler) {
      const isKnownPath =
        port === 'main' && [...this.#routes.keys()].some(route => route.endsWith(` ${path}`));
      sendJson(response, isKnownPath ? 405 : 404, {
        detail: isKnownPath ? 'Method Not Allowed' : 'Not Found',
      });
      return;
    }
    if (path.startsWith('/v1/')) checkKey(request, this.#options.apiKey);
    await handler(request, response, receivedNs);
  }

  /** Reports the request to the profile when the response is complete or the client has disconnected. */
  #reportWhenClosed(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (!path.startsWith('/v1/') && !API_PATHS.includes(path)) return;
    const startMs = performance.now();
    response.once('close', () => {
      this.#live.simulation.profile.recordExchange?.({
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

/** Returns the path of a request. Throws ApiError (400) for a request target without a path, such as `//`. */
function parsePath({ url = '/' }: IncomingMessage): string {
  const base = 'http://localhost';
  if (!URL.canParse(url, base))
    throw new ApiError(400, `the request target is ${JSON.stringify(url)}; expected a path`);
  return new URL(url, base).pathname;
}

function listModels(live: LiveSimulation): object {
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
  const { authorization, 'x-api-key': anthropicKey } = request.headers;
  if (key === undefined || authorization === `Bearer ${key}` || anthropicKey === key) return;
  throw new ApiError(401, 'the Authorization header does not contain the key of this server');
}

function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof ApiError) sendError(response, error);
  else sendError(response, new ApiError(500, error instanceof Error ? error.message : String(error)));
}
