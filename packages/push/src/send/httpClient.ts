import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { describeSystemError } from '@org/core/systemError';
import type { EncodedBatch, Reply } from '../protocols/protocol.ts';

/** Maximum duration of a request, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** Maximum size of a response that is read, in bytes. The rest is ignored. */
const MAX_BODY_BYTES = 64 * 1024;

/** A request that received no response. The message is for the user. */
export class SendError extends Error {
  override readonly name: string = 'SendError';
}

/** Sends requests to one receiver over one connection. */
export class HttpClient {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: HttpAgent;
  readonly #timeoutMs: number;

  /** @param headers the headers of every request, including credentials */
  constructor(url: URL, headers: Readonly<Record<string, string>>, timeoutMs: number = REQUEST_TIMEOUT_MS) {
    this.#url = url;
    this.#headers = headers;
    this.#timeoutMs = timeoutMs;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * Sends a batch. Redirects are not followed.
   *
   * @throws SendError without a response, or if `signal` is aborted
   */
  async send({ body, headers }: EncodedBatch, signal: AbortSignal): Promise<Reply> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      return await readReply(await this.#request(body, headers, limit));
    } catch (error) {
      const isLate = limit.aborted && !signal.aborted;
      const problem = isLate ? `no response within ${this.#timeoutMs / 1000} s` : describeProblem(error);
      throw new SendError(problem, { cause: error });
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#agent.destroy();
  }

  #request(
    body: Uint8Array,
    headers: EncodedBatch['headers'],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const send = this.#url.protocol === 'https:' ? requestHttps : requestHttp;
    const options = {
      method: 'POST',
      agent: this.#agent,
      signal,
      headers: { ...this.#headers, ...headers, 'content-length': body.length },
    };
    return new Promise((resolve, reject) => {
      send(this.#url, options, resolve).on('error', reject).end(body);
    });
  }
}

const DESCRIPTIONS_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the receiver',
};

/** Describes why a request failed. Errors of hosts with several addresses have only a code. */
function describeProblem(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return DESCRIPTIONS_BY_CODE[code] ?? (describeSystemError(error) || code);
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (size < MAX_BODY_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
