import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** Starts a server on loopback for one test. Returns its URL. */
export async function startWebServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  return `http://127.0.0.1:${port}`;
}

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Returns the URL of a port without a listening server. */
export async function findClosedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
