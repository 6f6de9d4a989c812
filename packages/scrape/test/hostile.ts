import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A server that answers as a test says. */
export class HostileServer {
  answer: RequestListener;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(answer: RequestListener) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      this.answer(request, response);
    });
    this.#server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(answer: RequestListener, port = 0): Promise<HostileServer> {
    const server = new HostileServer(answer);
    server.#server.listen(port, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/metrics'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}

/** Answers with one text. */
export function text(
  body: string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4', ...headers }).end(body);
  };
}
