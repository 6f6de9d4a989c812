import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeSystemError } from '@org/core';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A port for HTTP requests that can be closed and reopened. */
export class Listener {
  readonly #handle: RequestHandler;
  #server: Server | undefined;
  #port = 0;
  #host = '';
  /** False after `close`, which may be called while the port is being opened. */
  #shouldBeOpen = false;

  /** `handle` is called for each request. */
  constructor(handle: RequestHandler) {
    this.#handle = handle;
  }

  /** URL of the open port, without a path; IPv6 addresses are in brackets. */
  get url(): string {
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  /** Opens a port; 0 chooses a free port. If that fails, rejects with an error that has the system error's `code`. */
  async open(port: number, host: string): Promise<void> {
    this.#shouldBeOpen = true;
    const server = createServer({ keepAliveTimeout: 30_000 }, this.#handle);
    await new Promise<void>((resolve, reject) => {
      server.once('error', error => reject(createListenError(error, host, port)));
      server.listen(port, host, resolve);
    });
    if (!this.#shouldBeOpen) {
      server.close();
      return;
    }
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#host = host;
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    this.#shouldBeOpen = false;
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    await new Promise<void>(resolve => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Reopens the port. Does nothing if the port was never open or is still open. */
  async reopen(): Promise<void> {
    if (this.#port === 0 || this.#server) return;
    await this.open(this.#port, this.#host);
  }

  /** Closes all connections; the port stays open. */
  closeConnections(): void {
    this.#server?.closeAllConnections();
  }
}

function createListenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const message = `cannot listen on ${shownHost}:${port}: ${describeSystemError(cause)}`;
  return Object.assign(new Error(message, { cause }), { code: cause.code });
}
