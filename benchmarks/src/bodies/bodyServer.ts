import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that serves prepared bodies. */
export interface BodyServer {
  readonly port: number;
  close(): void;
}

/**
 * Serves bodies on 127.0.0.1. Each path is an endpoint, which sends the next body on each request and repeats the
 * last body.
 */
export async function startBodyServer(bodies: readonly Buffer[]): Promise<BodyServer> {
  const requestCounts = new Map<string, number>();
  const server = createServer(({ url = '/' }, response) => {
    const index = requestCounts.get(url) ?? 0;
    requestCounts.set(url, index + 1);
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(bodies[Math.min(index, bodies.length - 1)]);
  });
  const port = await listen(server);
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a free port of 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
