import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** One port that takes HTTP requests, and that can be closed and opened again. */
export class Listener {
  readonly #answer: Answer;
  readonly #connected: (socket: Socket) => void;
  #server: Server | undefined;
  #port = 0;
  #host = '';
  /** Whether the port is meant to be open: a port can be closed while it is being opened. */
  #wanted = false;

  /** `answer` is told of each request, `connected` of each connection. */
  constructor(answer: Answer, connected: (socket: Socket) => void) {
    this.#answer = answer;
    this.#connected = connected;
  }

  /** `http://host:port` of the open port; an IPv6 address stands in brackets. */
  get url(): string {
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  /** Opens a port (0: a free one). Rejects when that is not possible. */
  async open(port: number, host: string): Promise<void> {
    this.#wanted = true;
    const server = createServer({ keepAliveTimeout: 30_000 }, this.#answer);
    server.on('connection', this.#connected);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    if (!this.#wanted) {
      server.close();
      return;
    }
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#host = host;
  }

  /** Closes the port and every connection to it. */
  async close(): Promise<void> {
    this.#wanted = false;
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    await new Promise<void>(resolve => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Opens again where it was; does nothing when it never was open, or still is. */
  async reopen(): Promise<void> {
    if (this.#port === 0 || this.#server) return;
    await this.open(this.#port, this.#host);
  }

  /** Cuts every connection, and stays open. */
  cut(): void {
    this.#server?.closeAllConnections();
  }
}
