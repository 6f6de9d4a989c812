import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

const COMPLETION = JSON.stringify({
  model: 'm',
  choices: [{ message: { content: 'one two three' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
});

/** A server whose responses cycle through success and failures. */
export interface FailingServer {
  readonly url: string;
  /** Restarts the cycle, so that the next request succeeds. */
  readonly reset: () => void;
}

/**
 * Starts a server without metrics whose responses cycle through success, status 429, success, status 500, and a
 * connection that is closed in the middle of the body. The server is closed after all tests of the calling
 * file.
 */
export async function startFailingServer(): Promise<FailingServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    request.resume().on('end', () => {
      const step = requests++ % 5;
      if (step === 1)
        response.writeHead(429, { 'retry-after': '2' }).end('{"error":{"message":"slow down"}}');
      else if (step === 3) response.writeHead(500).end(`{"error":{"message":"crash in worker ${requests}"}}`);
      else if (step === 4) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":');
        setTimeout(() => request.socket.destroy(), 5);
      } else response.writeHead(200, { 'content-type': 'application/json' }).end(COMPLETION);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset: () => {
      requests = 0;
    },
  };
}
