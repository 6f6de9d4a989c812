import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of bodies that somebody else made. */
export interface BodyServer {
  readonly port: number;
  close(): void;
}

/** Serves bodies on 127.0.0.1. Each path is an endpoint, which says the next body at each request, and at last the last. */
export async function serveBodies(bodies: readonly Buffer[]): Promise<BodyServer> {
  const asked = new Map<string, number>();
  const server = createServer(({ url = '/' }, response) => {
    const index = asked.get(url) ?? 0;
    asked.set(url, index + 1);
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(bodies[Math.min(index, bodies.length - 1)]);
  });
  const port = await listening(server);
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A port of 127.0.0.1 that nobody has for now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
