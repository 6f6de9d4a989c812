import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A response of the server: a status with a body, or a function that writes the response. */
export type Reply =
  | { readonly status: number; readonly body?: string | Uint8Array; readonly type?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ApiServer {
  readonly url: string;
  /** The requests so far: path without the query, and headers. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Replies by path. Other paths have status 404. */
  readonly replies: Record<string, Reply>;
  close(): Promise<void>;
}

export const STREAMED = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse';

/** Starts a server on loopback that replies as the test sets. */
export async function startApiServer(replies: Record<string, Reply>): Promise<ApiServer> {
  const requests: ApiServer['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    requests.push({ path, headers: request.headers });
    request
      .resume()
      .on('end', () => reply(replies[path] ?? { status: 404, body: 'not found' }, request, response));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return { url: `http://127.0.0.1:${port}`, requests, replies, close: () => close(server) };
}

function reply(answer: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (typeof answer === 'function') answer(request, response);
  else
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}
