import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { root } from './source.ts';

/** Where a certificate or key of the tests is; make.sh beside it tells how they were made. */
export function pemPath(name: string): string {
  return join(root, 'packages/scrape/test/files/tls', name);
}

/** What a TLS server shows: the certificate of this name. */
export function identity(name: string): TlsOptions {
  return { cert: readFileSync(pemPath(`${name}.pem`)), key: readFileSync(pemPath('server.key')) };
}

export interface Served {
  readonly port: number;
  readonly close: () => void;
}

/** A server on a port of its own, with TLS when it has something to show. */
export async function serve(answer: RequestListener, tls?: TlsOptions): Promise<Served> {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Answers with one text. */
export function answer(
  body: string | Buffer,
  status = 200,
  headers: Record<string, string> = {},
): RequestListener {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
}
