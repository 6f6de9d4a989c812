import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A response of the server, by name. */
export type Behavior = keyof typeof BEHAVIORS;

const COMPLETION = {
  model: 'm',
  choices: [{ message: { content: 'one two' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
};
const CHUNK = `data: ${JSON.stringify({ choices: [{ delta: { content: 'one' } }] })}\n\n`;
const LAST = `data: ${JSON.stringify({ choices: [{ delta: { content: ' two' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

const sendJson = (response: ServerResponse, status: number, body: object, headers: object = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));

const startStream = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(CHUNK);

const BEHAVIORS = {
  ok: (response: ServerResponse, isStream: boolean) => {
    if (!isStream) return sendJson(response, 200, COMPLETION);
    startStream(response);
    response.end(LAST);
  },
  error500: (response: ServerResponse) => sendJson(response, 500, { error: { message: 'crash' } }),
  error429: (response: ServerResponse) =>
    sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '3' }),
  errorBody: (response: ServerResponse) =>
    sendJson(response, 200, { error: { message: 'no capacity', code: 503 } }),
  emptyBody: (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(),
  errorEvent: (response: ServerResponse) => {
    startStream(response);
    response.end('event: error\ndata: {"error":{"message":"lost","code":500}}\n\n');
  },
  cutStream: (response: ServerResponse) => {
    startStream(response);
    setTimeout(() => response.destroy(), 5);
  },
  reset: (response: ServerResponse) => {
    const { socket } = response;
    if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy();
  },
  slow: (response: ServerResponse, isStream: boolean) => {
    setTimeout(() => BEHAVIORS.ok(response, isStream), 60);
  },
  hang: () => {},
};

/** A server whose responses cycle through a list of behaviors, and which logs the requests that it receives. */
export interface HostileServer {
  readonly url: string;
  /** Restarts the cycle with these behaviors and clears the log. */
  readonly reset: (behaviors: readonly Behavior[]) => void;
  /** The `X-Request-ID` of each received request. */
  readonly received: string[];
}

/** Starts a server without metrics. It is closed after all tests of the calling file. */
export async function startHostileServer(): Promise<HostileServer> {
  let cycle: readonly Behavior[] = ['ok'];
  const received: string[] = [];
  const respond = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const behavior = cycle[received.length % cycle.length]!;
    received.push(String(request.headers['x-request-id']));
    BEHAVIORS[behavior](response, body.includes('"stream":true'));
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part;
    });
    request.on('end', () => respond(request, response, body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reset: behaviors => {
      cycle = behaviors;
      received.length = 0;
    },
  };
}
