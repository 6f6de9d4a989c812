import { UnreadableError } from './source.ts';

/** Time limits of a download: `idleMs` without data, and `totalMs` for the whole download. */
const LIMITS = { idleMs: 30_000, totalMs: 600_000 };

/**
 * Yields the bytes of an `http:` or `https:` URL as they arrive. Credentials in the URL are sent as basic
 * authentication.
 *
 * @param name the URL without credentials, for the request and for messages
 * @throws UnreadableError if the request fails, the status is not 2xx, or a time limit expires
 */
export async function* download(url: URL, name: string): AsyncGenerator<Uint8Array> {
  const deadline = new Deadline();
  try {
    deadline.extend();
    const response = await fetch(name, { headers: createHeaders(url), signal: deadline.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const reader = response.body?.getReader();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader!.read()) {
      deadline.suspend();
      yield chunk.value;
      deadline.extend();
    }
  } catch (error) {
    throw new UnreadableError(`cannot read ${name}: ${describeCause(error, url)}`, { cause: error });
  } finally {
    deadline.end();
  }
}

/** Returns the headers of a request. `fetch` rejects URLs with credentials. */
function createHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const bytes = new TextEncoder().encode([username, password].map(decodeURIComponent).join(':'));
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/**
 * Returns the message of the error's cause if it has one, because the message of a `fetch` error is only
 * "fetch failed".
 */
function describeCause(error: unknown, { port }: URL): string {
  const { message, cause } = error as Error;
  const text = cause instanceof Error && cause.message !== '' ? cause.message : message;
  // `fetch` does not connect to the ports of other protocols (https://fetch.spec.whatwg.org/#port-blocking).
  if (text === 'bad port')
    return `port ${port} is reserved for another protocol; expected the port of an HTTP server`;
  return text;
}

/** Aborts a download if no data arrives for `LIMITS.idleMs`, or if it takes longer than `LIMITS.totalMs`. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #endMs = performance.now() + LIMITS.totalMs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the idle timeout, limited to the time that remains of the total. */
  extend(): void {
    const remainingMs = this.#endMs - performance.now();
    const reason =
      remainingMs < LIMITS.idleMs
        ? `incomplete after ${LIMITS.totalMs / 1000} s`
        : `no data for ${LIMITS.idleMs / 1000} s`;
    const timeoutMs = Math.min(remainingMs, LIMITS.idleMs);
    this.#timer = setTimeout(() => this.#controller.abort(new Error(reason)), timeoutMs);
  }

  /** Stops the idle timeout while the consumer processes a chunk. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  /** Stops the timeout and closes the connection, even if the body was not read completely. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
