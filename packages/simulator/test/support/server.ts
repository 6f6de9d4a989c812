import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type CreateSimulatorOptions,
  createSimulator,
  type Simulator,
  type SimulatorAddress,
} from '../../src/simulator.ts';

export const model = 'test/model';

/** A listening simulator, fast, that is closed when the test is over. */
export async function listening(
  options: CreateSimulatorOptions = {},
  host?: string,
): Promise<Simulator & { readonly at: SimulatorAddress }> {
  const simulator = createSimulator({ seed: 1, speed: 20, model, ...options });
  onTestFinished(() => simulator.close());
  const at = await simulator.listen(0, host);
  return Object.assign(simulator, { at });
}

/** Posts JSON (or a text as it is). */
export function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: text, ...init });
}

/** The JSON of an answer, for tests to look into. */
export async function json(response: Response) {
  return JSON.parse(await response.text());
}

/** Events of a server-sent stream: what follows `data: `. */
export async function events(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter(part => part !== '')
    .map(part => part.replace(/^data: /, ''));
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the answer came to its end. */
  readonly complete: boolean;
}

/** A request without anything that fetch does on its own: no decompression, no redirects, no error for half a body. */
export function raw(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
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

/** Waits until something is so; fails after fifty seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 50_000; !(await condition()); ) {
    if (performance.now() > end) throw new Error('it did not come about within 50 s');
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
