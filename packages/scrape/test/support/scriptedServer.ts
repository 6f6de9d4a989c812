import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

export interface ScriptedServerOptions {
  readonly port?: number;
  readonly host?: string;
  readonly tls?: TlsOptions;
}

/** A server whose responses are set by a test. */
export class ScriptedServer {
  listener: RequestListener;
  /** Paths of the requests, with queries, in order of arrival. */
  readonly requestedUrls: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  readonly #scheme: string;
  readonly #host: string;

  private constructor(listener: RequestListener, { host = '127.0.0.1', tls }: ScriptedServerOptions) {
    this.listener = listener;
    const handle: RequestListener = (request, response) => {
      this.requestedUrls.push(request.url ?? '');
      this.listener(request, response);
    };
    this.#host = host;
    this.#scheme = tls ? 'https' : 'http';
    this.#server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.#server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(
    listener: RequestListener,
    options: ScriptedServerOptions = {},
  ): Promise<ScriptedServer> {
    const server = new ScriptedServer(listener, options);
    server.#server.listen(options.port ?? 0, server.#host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Returns the URL of a path. For TLS, its host is `localhost`, the host name of most test certificates. */
  url(path = '/metrics'): string {
    return `${this.#scheme}://${this.#scheme === 'https' ? 'localhost' : this.#host}:${this.port}${path}`;
  }

  /** Closes all connections. The server continues to accept new connections. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.dropConnections();
    await once(this.#server, 'close');
  }
}

/** Returns a listener that sends the same response to every request. */
export function respondWith(
  body: string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4', ...headers }).end(body);
  };
}
