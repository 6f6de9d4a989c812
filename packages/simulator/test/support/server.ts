import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type CreateSimulatorOptions,
  createSimulator,
  type Simulator,
  type SimulatorAddress,
} from '../../src/simulator.ts';

export const model = 'test/model';

/** Starts a simulator at 20 times the speed by default. It is closed at the end of the test. */
export async function startSimulator(
  options: CreateSimulatorOptions = {},
  host?: string,
): Promise<Simulator & { readonly address: SimulatorAddress }> {
  const simulator = createSimulator({ seed: 1, speed: 20, model, ...options });
  onTestFinished(() => simulator.close());
  const address = await simulator.listen(0, host);
  return Object.assign(simulator, { address });
}

/** Sends a POST request with `body` as JSON, or unchanged if it is a string. */
export function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: text, ...init });
}

/** Parses the JSON body of a response. The result has the type `any`. */
export async function readJson(response: Response) {
  return JSON.parse(await response.text());
}

/** Returns the data of the server-sent events in a response, without the prefix `data: `. */
export async function readEvents(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter(part => part !== '')
    .map(part => part.replace(/^data: /, ''));
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True if the response was complete. */
  readonly complete: boolean;
}

/** Sends a request. Unlike fetch, does not decompress bodies, follow redirects, or fail for truncated bodies. */
export function sendRaw(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => {});
      response.on('close', () => {
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks),
          complete: response.complete,
        });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Waits until a condition is true. Throws after 50 s. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 50_000; !(await condition()); ) {
    if (performance.now() > end) throw new Error('the condition was not met within 50 s');
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
