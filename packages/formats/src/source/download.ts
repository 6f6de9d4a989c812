import { UnreadableError } from './source.ts';

/** Maximum time without data, and for a whole download, in milliseconds. */
const LIMITS = { silenceMs: 30_000, totalMs: 600_000 };

/**
 * Yields the bytes of an `http:` or `https:` URL as they arrive.
 *
 * @throws UnreadableError if the request fails, the status is not 2xx, or a time limit expires
 */
export async function* download(url: URL): AsyncGenerator<Uint8Array> {
  const deadline = new Deadline();
  try {
    deadline.extend();
    const response = await fetch(url, { signal: deadline.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) {
      deadline.suspend();
      yield part.value;
      deadline.extend();
    }
  } catch (error) {
    throw new UnreadableError(`cannot read ${url.href}: ${describeCause(error)}`, { cause: error });
  } finally {
    deadline.end();
  }
}

/** Returns the message of the cause if there is one: the message of `fetch` itself is only "fetch failed". */
function describeCause(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

/** Aborts a download that sends nothing for too long, or takes too long in total. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #end = performance.now() + LIMITS.totalMs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(): void {
    const leftMs = this.#end - performance.now();
    const reason =
      leftMs < LIMITS.silenceMs
        ? `incomplete after ${LIMITS.totalMs / 1000} s`
        : `no data for ${LIMITS.silenceMs / 1000} s`;
    const timeoutMs = Math.min(leftMs, LIMITS.silenceMs);
    this.#timer = setTimeout(() => this.#controller.abort(new Error(reason)), timeoutMs);
  }

  /** Stops the clock while the consumer is busy. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the download and closes the connection, even if the body was not read completely. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
