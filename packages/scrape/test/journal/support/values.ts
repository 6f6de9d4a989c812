import fc from 'fast-check';

/** Numbers at the limits of the token encodings, and ordinary numbers. */
const EDGES: readonly number[] = [
  0,
  -0,
  1,
  -1,
  63,
  64,
  0.1,
  0.25,
  1 / 3,
  123.456,
  1e-7,
  1.2345678e-7,
  5e-324,
  -5e-324,
  1e308,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 52 - 1,
  2 ** 52,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2 ** 53,
  2 ** 53 + 2,
  1.8446744073709552e19,
  Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

export const anyValue: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000 }).map(n => n / 1000) },
  { weight: 1, arbitrary: fc.double() },
);

/** Values in runs, like the buckets of a histogram. */
export const anyValues: fc.Arbitrary<Float64Array> = fc
  .array(fc.tuple(anyValue, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 150 }))), { maxLength: 12 })
  .map(runs => Float64Array.from(runs.flatMap(([value, length]) => Array<number>(length).fill(value))));

/** Formats doubles as hex, which distinguishes 0 from -0 and treats all NaN values alike. */
export function toHex(values: Float64Array): string {
  const clean = values.map(value => (Number.isNaN(value) ? Number.NaN : value));
  return Buffer.from(clean.buffer).toString('hex');
}
