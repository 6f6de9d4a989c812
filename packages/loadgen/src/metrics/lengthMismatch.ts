/**
 * Tolerated difference from the requested response length: this fraction or this number of tokens, whichever is
 * smaller.
 */
const MAX_MISMATCH_FRACTION = 0.05;
const MAX_MISMATCH_TOKENS = 50;

/** Reports whether the length of a response differs from the requested length, given the metrics of the request. */
export function isLengthMismatch(values: Readonly<Record<string, unknown>>): boolean {
  const { requested_osl: requested, output_sequence_length: actual } = values;
  if (typeof requested !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(actual - requested) > Math.min(MAX_MISMATCH_FRACTION * requested, MAX_MISMATCH_TOKENS);
}
