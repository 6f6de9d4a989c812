import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWERS, COMMAND_PATHS, type RequestBody } from './answers.ts';

/** A request that the server received. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  /** Time of arrival in milliseconds. */
  readonly arrivedMs: number;
  /** Time at which the response was complete, in milliseconds; undefined if the client closed the connection. */
  endedMs?: number;
}

/** Time until the first token, and between tokens. */
const FIRST_TOKEN_MS = 30;
const BETWEEN_TOKENS_MS = 2;

/** Models that the server lists. */
const MODELS = ['m', 'a', 'b', 'c'];

/** A server that logs each request, and answers as fast for one client as for another. */
export class RequestServer {
  readonly requests: LoggedRequest[] = [];
  /** Paths of other requests with the method POST, such as commands that prepare the server. */
  readonly commands: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#handle(request, response);
    });
  }

  static async start(): Promise<RequestServer> {
    const server = new RequestServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedMs = performance.now();
    const path = new URL(request.url!, 'http://stub').pathname;
    const text = await readText(request);
    const answer = ANSWERS[path];
    if (answer === undefined || request.method !== 'POST') {
      const isKnown = path === '/v1/models' || path === '/health' || COMMAND_PATHS.includes(path);
      if (request.method === 'POST') this.commands.push(path);
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: MODELS.map(id => ({ id, object: 'model' })) }));
      return;
    }
    const body = parseBody(text, request.headers['content-type']);
    const logged: LoggedRequest = {
      method: request.method,
      path,
      headers: request.headers as Record<string, string>,
      body,
      arrivedMs,
    };
    this.requests.push(logged);
    const { body: complete, events } = answer(body);
    await sleep(FIRST_TOKEN_MS);
    const isStream = body.stream === true || path === '/generate_stream';
    if (isStream) await sendEvents(response, events);
    else sendJson(response, complete);
    if (!response.destroyed) logged.endedMs = performance.now();
  }
}

/** Parses a body as JSON, or as a form, whose fields are returned by name. */
function parseBody(text: string, contentType = ''): RequestBody {
  if (!contentType.startsWith('multipart/')) return JSON.parse(text) as RequestBody;
  const boundary = /boundary="?([^";]+)/.exec(contentType)![1]!;
  const parts = text.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map(part => {
      const [head = '', value = ''] = part.split('\r\n\r\n');
      const isFile = head.includes('filename=');
      return [/name="?([^";]+)/.exec(head)![1]!, isFile ? 'file' : value.replace(/\r\n$/, '')];
    }),
  );
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function sendEvents(response: ServerResponse, events: readonly string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (response.destroyed) return;
    response.write(event);
    await sleep(BETWEEN_TOKENS_MS);
  }
  response.end();
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
