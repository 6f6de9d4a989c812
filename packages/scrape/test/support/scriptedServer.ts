import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';

export interface HostileOptions {
  readonly port?: number;
  readonly host?: string;
  readonly tls?: TlsOptions;
}

/** A server whose responses are set by a test. */
export class ScriptedServer {
  answer: RequestListener;
  /** Requested paths. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  readonly #scheme: string;
  readonly #host: string;

  private constructor(answer: RequestListener, { host = '127.0.0.1', tls }: HostileOptions) {
    this.answer = answer;
    const listener: RequestListener = (request, response) => {
      this.asked.push(request.url ?? '');
      this.answer(request, response);
    };
    this.#host = host;
    this.#scheme = tls ? 'https' : 'http';
    this.#server = tls ? createTlsServer(tls, listener) : createServer(listener);
    this.#server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(answer: RequestListener, options: HostileOptions = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(answer, options);
    server.#server.listen(options.port ?? 0, server.#host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The URL; for TLS, with the host name of the certificates. */
  url(path = '/metrics'): string {
    return `${this.#scheme}://${this.#scheme === 'https' ? 'localhost' : this.#host}:${this.port}${path}`;
  }

  /** Closes all connections; new ones are accepted. */
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

/** Responds with one text. */
export function text(
  body: string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4', ...headers }).end(body);
  };
}
