import { Agent, request } from 'undici';
import { toFailure } from '../failure.ts';
import type { LoadOptions } from '../run/loadOptions.ts';

/** The response of a server to a control request, or the reason of its failure. */
export type ControlResult =
  | { readonly status: number; readonly text: string }
  | { readonly status: undefined; readonly reason: string };

/** A control request. */
export interface ControlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends requests that prepare a server for a run, one at a time. They are not part of the load. */
export class ControlClient {
  readonly #headers: readonly string[];
  readonly #agent: Agent;

  /** `headers` are alternating names and values. */
  constructor(headers: readonly string[], { verifyTls = true, ca, cert, key }: LoadOptions['tls'] = {}) {
    this.#headers = headers;
    this.#agent = new Agent({
      connect: {
        rejectUnauthorized: verifyTls,
        ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
        ...(cert === undefined || key === undefined ? {} : { cert, key }),
      },
    });
  }

  /** Sends a request and reads its response. Never rejects. */
  async send({ method, url, body, timeoutMs, signal }: ControlRequest): Promise<ControlResult> {
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    try {
      const response = await request(url, {
        method,
        headers: this.#headers as string[],
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, timeout]),
        ...(method === 'POST' ? { body: body ?? '' } : {}),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      const reason = timeout.aborted
        ? `no response within ${timeoutMs / 1000} s`
        : toFailure(error as Error).message;
      return { status: undefined, reason };
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}

/** Describes the result of a control request, such as `HTTP status 503`. */
export function describeResult(result: ControlResult): string {
  return result.status === undefined ? result.reason : `HTTP status ${result.status}`;
}
