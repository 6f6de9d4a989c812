import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll } from 'vitest';
import { CERTIFICATE, KEY } from '../../../../packages/loadgen/test/support/certificate.ts';

/** A request as the server saw it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any API
  readonly body: any;
  /** Port of the client, which identifies the connection. */
  readonly connection: number;
  /** Common name of the client certificate, if there is one. */
  readonly certificate: string | undefined;
  readonly startMs: number;
  /** When the response was complete, or the connection was closed. */
  endMs: number;
  /** True if the client closed the connection before the response was complete. */
  isClosed: boolean;
}

/** A server that records what it receives. The path of a request chooses its behavior; see `respond`. */
export interface RecordingServer {
  readonly url: string;
  readonly tlsUrl: string;
  readonly requests: ReceivedRequest[];
  readonly scrapes: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/**
 * Starts the server. It is closed after all tests of the calling file. Prefixes of the path: `/wait/MS` delays the
 * response, `/fail` responds with 500, `/plain` omits `usage`, and `/silent` has no metrics.
 */
export async function startRecordingServer(): Promise<RecordingServer> {
  const recording = { requests: [], scrapes: [] } as Pick<RecordingServer, 'requests' | 'scrapes'>;
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void handle(recording, request, response);
  const servers = [
    createServer(listener),
    createTlsServer({ key: KEY, cert: CERTIFICATE, requestCert: true, rejectUnauthorized: false }, listener),
  ];
  const ports = await Promise.all(
    servers.map(async server => {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }),
  );
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return { url: `http://127.0.0.1:${ports[0]}`, tlsUrl: `https://localhost:${ports[1]}`, ...recording };
}

async function handle(
  { requests, scrapes }: Pick<RecordingServer, 'requests' | 'scrapes'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '', headers, method, socket } = request;
  if (method !== 'POST') {
    scrapes.push({ path: url, headers });
    sendMetrics(url, requests.length, scrapes.length, response);
    return;
  }
  let text = '';
  for await (const part of request) text += part;
  const received: ReceivedRequest = {
    path: url,
    headers,
    body: text === '' ? undefined : JSON.parse(text),
    connection: socket.remotePort!,
    certificate: (socket as TLSSocket).getPeerCertificate?.().subject?.CN?.toString(),
    startMs: performance.now(),
    endMs: Number.NaN,
    isClosed: false,
  };
  requests.push(received);
  response.on('close', () => {
    received.endMs = performance.now();
    received.isClosed = !response.writableFinished;
  });
  await respond(received, response);
}

async function respond({ path, body }: ReceivedRequest, response: ServerResponse): Promise<void> {
  await sleep(Number(/\/wait\/(\d+)/.exec(path)?.[1] ?? 5));
  if (path.startsWith('/fail')) {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"crash"}}');
    return;
  }
  const usage = path.startsWith('/plain')
    ? {}
    : { usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } };
  if (body?.stream !== true) {
    const choice = { message: { content: 'one two' }, text: 'one two', finish_reason: 'length' };
    const json = { choices: [choice], data: [{ embedding: [1] }], results: [{ index: 0 }], ...usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    return;
  }
  const chunks = [{ delta: { content: 'one' } }, { delta: { content: ' two' }, finish_reason: 'length' }];
  const events = [...chunks.map(choice => ({ choices: [choice] })), { choices: [], ...usage }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end('data: [DONE]\n\n');
}

function sendMetrics(url: string, requests: number, scrapes: number, response: ServerResponse): void {
  if (url.startsWith('/silent')) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
    .end(
      [
        '# TYPE served_requests counter',
        `served_requests_total ${requests}`,
        '# TYPE depth gauge',
        `depth ${scrapes % 5}`,
        '# TYPE wait_seconds histogram',
        `wait_seconds_bucket{le="1"} ${requests}`,
        `wait_seconds_bucket{le="10"} ${3 * requests}`,
        `wait_seconds_bucket{le="+Inf"} ${3 * requests}`,
        `wait_seconds_sum ${7 * requests}`,
        `wait_seconds_count ${3 * requests}`,
        '# TYPE size summary',
        'size{quantile="0.5"} 3',
        `size_sum ${requests}`,
        `size_count ${requests}`,
        '',
      ].join('\n'),
    );
}
