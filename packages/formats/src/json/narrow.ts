/** Subtrees that belong to the user, of which nothing is known, and lists of times without `_ns` in their names. */
const free: ReadonlySet<string> = new Set([
  'input_config',
  'variation_values',
  'random_seed',
  'telemetry_data',
  'request_chunks',
  'response_chunks',
  'details',
]);

/**
 * Turns the wide integers that `parseJson` kept exact into numbers, in place, where the formats have floats or
 * counts: a gauge of 2^63 is a float that was printed without a fraction. Times and what belongs to the user
 * stay exact.
 */
export function narrowIntegers(container: object): void {
  const values = container as Record<string, unknown>;
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (free.has(key) || key === '__proto__') continue;
    if (typeof value === 'bigint' && !key.endsWith('_ns')) values[key] = Number(value);
    else if (typeof value === 'object' && value !== null) narrowIntegers(value);
  }
}
