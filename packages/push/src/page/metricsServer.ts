import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeSystemError } from '@org/core/systemError';
import type { Batch } from '../metrics/batch.ts';
import { choosePageFormat } from './pageFormat.ts';
import { CONTENT_TYPES, renderPage } from './renderPage.ts';

const HOST = '127.0.0.1';
const PATH = '/metrics';

/** An error for a port that cannot be used. The message is for the user. */
export class MetricsPortError extends Error {
  override readonly name: string = 'MetricsPortError';
}

/** Serves the last values of a run at `/metrics`, on this machine only. */
export class MetricsServer {
  readonly #server: Server;
  #batch: Batch | undefined;

  constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
  }

  /**
   * Starts the server. Port 0 is a free port. Returns the URL of the page.
   *
   * @throws MetricsPortError if the port cannot be used
   */
  async listen(port: number): Promise<string> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject).listen(port, HOST, resolve);
      });
    } catch (error) {
      throw new MetricsPortError(`cannot use port ${port}: ${describeSystemError(error)}`, { cause: error });
    }
    // The page does not keep the process running.
    this.#server.unref();
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}${PATH}`;
  }

  /** Replaces the values of the page. */
  update(batch: Batch): void {
    this.#batch = batch;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #respond({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    // Prevents DNS rebinding: a web page cannot read the values through a host name that resolves to this machine.
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '')) {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('expected the host 127.0.0.1 or localhost\n');
      return;
    }
    if (url.split('?')[0] !== PATH) {
      response
        .writeHead(404, { 'content-type': 'text/plain' })
        .end(`not found; the metrics are at ${PATH}\n`);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const format = choosePageFormat(headers.accept);
    const page = renderPage(this.#batch, format);
    response.writeHead(200, { 'content-type': CONTENT_TYPES[format], vary: 'Accept' });
    response.end(method === 'HEAD' ? undefined : page);
  }
}
