import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader, BitWriter } from '../../src/store/bitPacking.ts';
import { MAX_ROWS, readColumn, writeColumn } from '../../src/store/columnCodec.ts';

const NONE = Number.NaN;

/** Columns by name, with their maximum size in bytes. */
const COLUMNS: readonly (readonly [name: string, values: readonly number[], bytes: number])[] = [
  ['one zero', [0], 2],
  ['a constant', [7, 7, 7], 2],
  ['a constant with gaps', [7, NONE, 7, NONE], 3],
  ['a constant that is not a short decimal', [Math.PI, Math.PI], 9],
  ['-0', [-0, -0], 9],
  ['0 and -0', [0, -0, 0], 16],
  ['a counter', Array.from({ length: 32 }, (_, at) => 1_000_000 + 3 * at), 6],
  ['a counter with one step', Array.from({ length: 32 }, (_, at) => (at < 20 ? 5 : 6)), 9],
  ['a counter that falls', [100, 200, 300, 0, 100], 16],
  ['decimals', Array.from({ length: 32 }, (_, at) => (at * 7) / 1000), 9],
  ['the largest integers stored as integers', [2 ** 51, -(2 ** 51), 2 ** 51], 40],
  ['a step of 2^32 - 1', [0, 2 ** 32 - 1, 0], 24],
  ['a step of 2^32', [0, 2 ** 32, 0], 40],
  ['a counter beyond 2^53', [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 53 + 4], 40],
  ['denormals', [Number.MIN_VALUE, 2 * Number.MIN_VALUE, 2.2250738585072014e-308], 40],
  ['the largest doubles', [Number.MAX_VALUE, -Number.MAX_VALUE, 1e-300, 0.1], 48],
  ['0.1 and similar values', [0.1, 0.1 + Number.EPSILON / 8, 0.30000000000000004, 0.3], 48],
  [
    'the maximum number of rows',
    Array.from({ length: MAX_ROWS }, (_, at) => Math.sin(at)),
    8 * MAX_ROWS + 16,
  ],
];

function roundTrip(values: readonly number[]): { values: number[]; bytes: number } {
  const writer = new BitWriter();
  writer.byte(99); // A column may start at any byte.
  writeColumn(Float64Array.from(values), values.length, writer);
  const reader = new BitReader();
  reader.open(writer.view().slice(), 1);
  const into = new Float64Array(values.length + 2).fill(-1);
  readColumn(reader, values.length, into, 1);
  expect([into[0], into.at(-1)]).toEqual([-1, -1]);
  return { values: [...into.subarray(1, -1)], bytes: writer.length - 1 };
}

/** Values of real columns, and arbitrary doubles. */
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 0, max: 10_000 }).map(thousandths => thousandths / 1000),
  fc.double({ noDefaultInfinity: true }),
  fc.constantFrom(-0, 2 ** 53, 2 ** 53 + 2, 2 ** 51, 2 ** 51 + 1, -(2 ** 51), Number.MIN_VALUE, NONE),
);

describe('a column', () => {
  it.each(COLUMNS)('is lossless: %s', (_name, values, bytes) => {
    const decoded = roundTrip(values);
    expect(decoded.values).toEqual(values);
    expect(decoded.bytes).toBeLessThanOrEqual(bytes);
  });

  it('is lossless for arbitrary values', () => {
    const column = fc
      .array(value, { minLength: 1, maxLength: MAX_ROWS, size: 'medium' })
      .filter(values => values.some(number => !Number.isNaN(number)));
    fc.assert(
      fc.property(column, values => {
        expect(roundTrip(values).values).toEqual(values);
      }),
      { numRuns: 3000 },
    );
  });

  it('is lossless for random walks', () => {
    const step = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    const walk = fc
      .tuple(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.array(step, { minLength: 1, maxLength: 100 }))
      .map(([start, steps]) =>
        steps.map((_, at) => steps.slice(0, at).reduce((sum, increment) => sum + increment, start)),
      );
    fc.assert(
      fc.property(walk, values => {
        expect(roundTrip(values).values).toEqual(values);
      }),
      { numRuns: 1000 },
    );
  });
});
