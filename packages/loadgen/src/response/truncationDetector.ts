import { failure } from '../failure.ts';
import type { Answer } from './response.ts';

/**
 * Tells streams that were cut off from those that are whole. HTTP does not: where a proxy dies, or a server is killed, the
 * connection may be closed in good order, or the last chunk be a proper one.
 *
 * A stream of this API says that it is finished, by `[DONE]`, a finish_reason or a last chunk with the usage that was asked
 * for. From a server that has done so once in the run, a stream without any of that is a failure. Of a server that never has,
 * nobody can tell: its answers count, and are silent. Each thread that sends requests knows of its own streams only.
 */
export class Endings {
  /** Servers that have said it. */
  readonly #speaking = new Set<string>();

  /** Judges a stream that came to an end as HTTP has it. */
  judge(origin: string, answer: Answer): void {
    if (answer.failure) return;
    if (saysEnd(answer)) this.#speaking.add(origin);
    else if (answer.text.pieces === 0) return;
    else if (!this.#speaking.has(origin)) answer.isSilent = true;
    else
      answer.fail(
        failure(
          'UnfinishedStream',
          'it ended without [DONE], finish_reason or usage, which other streams of its server have',
        ),
      );
  }
}

/** With `continuous_usage_stats` every chunk has a usage, and then it says nothing. */
function saysEnd({ isDone, finishReason, usages }: Answer): boolean {
  return isDone || finishReason !== undefined || usages === 1;
}
