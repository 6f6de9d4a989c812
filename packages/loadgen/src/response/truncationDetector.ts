import { createFailure } from '../failure.ts';
import type { ParsedResponse } from './response.ts';

/**
 * Detects truncated streams. HTTP alone does not reveal truncation: if a proxy dies or a server is killed, the
 * connection may still be closed cleanly, or the last chunk may be well-formed.
 *
 * A complete stream ends with a marker: `[DONE]`, a finish_reason, or a final chunk with the requested usage.
 * Some APIs require a last event with the finish reason; without it, a stream is a failure. For other APIs: once a server has sent a marker, later streams from it without one are failures. If a server never sends one,
 * truncation cannot be detected: such streams count as successful and are marked in their records. Each worker
 * thread keeps a separate list of the servers that send markers.
 */
export class TruncationDetector {
  /** Origins of the servers that have sent an end marker. */
  readonly #originsWithMarkers = new Set<string>();

  /** Checks a stream that HTTP reports as complete. `endsWithReason`: the API requires a finish reason. */
  check(origin: string, response: ParsedResponse, endsWithReason = false): void {
    if (response.failure) return;
    if (endsWithReason) {
      if (response.finishReason === undefined)
        response.fail(createFailure('TruncatedStream', 'the stream ended without its last event'));
    } else if (hasEndMarker(response)) this.#originsWithMarkers.add(origin);
    else if (response.content.pieces === 0) return;
    else if (!this.#originsWithMarkers.has(origin)) response.missingEndMarker = true;
    else
      response.fail(
        createFailure(
          'TruncatedStream',
          'the stream ended without [DONE], finish_reason or usage, although the server sent one of them in other streams',
        ),
      );
  }
}

/**
 * Reports whether a stream contained an end marker. With `continuous_usage_stats`, every chunk contains
 * `usage`, so `usage` is a marker only if it occurs exactly once.
 */
function hasEndMarker({ isDone, finishReason, usageChunks }: ParsedResponse): boolean {
  return isDone || finishReason !== undefined || usageChunks === 1;
}
