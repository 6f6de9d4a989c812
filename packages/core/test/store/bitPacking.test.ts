import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader, BitWriter } from '../../src/store/bitPacking.ts';

type Item =
  | { readonly kind: 'byte' | 'integer' | 'double'; readonly value: number }
  | { readonly kind: 'bits'; readonly width: number; readonly value: number };

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map(value => ({ kind: 'byte' as const, value })),
  fc.integer({ min: -(2 ** 52), max: 2 ** 52 }).map(value => ({ kind: 'integer' as const, value })),
  fc.double({ noNaN: true }).map(value => ({ kind: 'double' as const, value })),
  fc
    .integer({ min: 0, max: 32 })
    .chain(width =>
      fc.integer({ min: 0, max: 2 ** width - 1 }).map(value => ({ kind: 'bits' as const, width, value })),
    ),
);

/** Writes the items. A run of bits is followed by `align`. */
function writeItems(items: readonly Item[], writer: BitWriter): void {
  items.forEach((entry, at) => {
    if (entry.kind !== 'bits') writer[entry.kind](entry.value);
    else {
      writer.bits(entry.value, entry.width);
      if (items[at + 1]?.kind !== 'bits') writer.align();
    }
  });
}

/** Reads the values that `writeItems` wrote. */
function readItems(items: readonly Item[], reader: BitReader): number[] {
  return items.map((entry, at) => {
    if (entry.kind !== 'bits') return reader[entry.kind]();
    const value = reader.bits(entry.width);
    if (items[at + 1]?.kind !== 'bits') reader.align();
    return value;
  });
}

describe('BitWriter and BitReader', () => {
  it('read values in the order they were written', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), items => {
        const writer = new BitWriter();
        writeItems(items, writer);
        const reader = new BitReader();
        reader.open(writer.view().slice(), 0);
        expect(readItems(items, reader)).toEqual(items.map(entry => entry.value));
      }),
      { numRuns: 1000 },
    );
  });

  it('grow the buffer as needed', () => {
    const writer = new BitWriter();
    const items = Array.from({ length: 30_000 }, (_, at): Item => ({ kind: 'double', value: at / 3 }));
    writeItems(items, writer);
    const reader = new BitReader();
    reader.open(writer.view(), 0);
    expect(readItems(items, reader)).toEqual(items.map(entry => entry.value));
  });

  it.each([
    [0, 1],
    [-64, 1],
    [63, 1],
    [64, 2],
    [2 ** 52, 8],
  ])('writes the integer %d in %d bytes', (value, bytes) => {
    const writer = new BitWriter();
    writer.integer(value);
    expect(writer.length).toBe(bytes);
  });
});
