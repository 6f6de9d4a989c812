import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Responds to a request. `index` is the number of the request, from 0. */
export type Respond = (response: ServerResponse, received: Received, index: number) => void;

/** A local receiver whose responses the test defines. */
export class Receiver {
  readonly requests: Received[] = [];
  readonly #server: Server;
  #respond: Respond;

  constructor(respond: Respond) {
    this.#respond = respond;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
        this.requests.push(received);
        this.#respond(response, received, this.requests.length - 1);
      });
    });
  }

  set respond(respond: Respond) {
    this.#respond = respond;
  }

  /** Starts the receiver, and returns its URL. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }
}

/** Accepts a request as a receiver of OTLP, or of remote write 2.0 that stores all samples. */
export const accept: Respond = (response, { headers }) => {
  const isWrite = headers['content-encoding'] === 'snappy';
  response.writeHead(200, isWrite ? { 'X-Prometheus-Remote-Write-Samples-Written': '1000000' } : {}).end();
};

/** Responds with a status. */
export function respondWith(status: number, headers: Record<string, string> = {}, body = ''): Respond {
  return response => response.writeHead(status, headers).end(body);
}

/** Finds a free port. */
export async function findFreePort(): Promise<number> {
  const receiver = new Receiver(accept);
  const url = await receiver.listen();
  await receiver.close();
  return Number(new URL(url).port);
}
