import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { root } from './source.ts';

/** Returns the path of a test certificate or key. The script make.sh next to these files generates them. */
export function getPemPath(name: string): string {
  return join(root, 'packages/scrape/test/files/tls', name);
}

/** Reads a test certificate and the key that all server certificates share. */
export function readCertificateOptions(name: string): TlsOptions {
  return { cert: readFileSync(getPemPath(`${name}.pem`)), key: readFileSync(getPemPath('server.key')) };
}

export interface TestServer {
  readonly port: number;
  readonly close: () => void;
}

/** Starts a server on a free port, with TLS if options are given. */
export async function startServer(listener: RequestListener, tls?: TlsOptions): Promise<TestServer> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Returns a listener that responds with a fixed text. */
export function respondWith(
  body: string | Buffer,
  status = 200,
  headers: Record<string, string> = {},
): RequestListener {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
}
