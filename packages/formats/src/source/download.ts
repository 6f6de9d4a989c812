import { UnreadableError } from './errors.ts';

/** How long a server may be silent, and how long it may take for all of a file: ms. */
const limits = { silence: 30_000, whole: 600_000 };

/**
 * The bytes of an http: or https: URL as they come.
 *
 * @throws UnreadableError when it does not answer, answers with a status other than 2xx, falls silent or does not come to an end
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
    throw new UnreadableError(`cannot read ${url.href}: ${reasonOf(error)}`, { cause: error });
  } finally {
    deadline.end();
  }
}

/** fetch says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

/** Aborts a download that is silent for too long, or takes too long as a whole. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #end = performance.now() + limits.whole;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(): void {
    const left = this.#end - performance.now();
    const seconds = left < limits.silence ? limits.whole / 1000 : limits.silence / 1000;
    const reason = left < limits.silence ? `not all there after ${seconds} s` : `silent for ${seconds} s`;
    this.#timer = setTimeout(() => this.#controller.abort(new Error(reason)), Math.min(left, limits.silence));
  }

  /** While the reader is busy, silence is not the server's. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  /** Also closes the connection of a body that was not read to its end. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
