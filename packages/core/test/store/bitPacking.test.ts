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

/** Bits are written in runs, each followed by `align`. */
function write(items: readonly Item[], out: BitWriter): void {
  items.forEach((each, at) => {
    if (each.kind !== 'bits') out[each.kind](each.value);
    else {
      out.bits(each.value, each.width);
      if (items[at + 1]?.kind !== 'bits') out.align();
    }
  });
}

function read(items: readonly Item[], from: BitReader): number[] {
  return items.map((each, at) => {
    if (each.kind !== 'bits') return from[each.kind]();
    const value = from.bits(each.width);
    if (items[at + 1]?.kind !== 'bits') from.align();
    return value;
  });
}

describe('BitWriter and BitReader', () => {
  it('read values in the order they were written', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), items => {
        const out = new BitWriter();
        write(items, out);
        const from = new BitReader();
        from.open(out.view().slice(), 0);
        expect(read(items, from)).toEqual(items.map(each => each.value));
      }),
      { numRuns: 1000 },
    );
  });

  it('grow the buffer as needed', () => {
    const out = new BitWriter();
    const items = Array.from({ length: 30_000 }, (_, at): Item => ({ kind: 'double', value: at / 3 }));
    write(items, out);
    const from = new BitReader();
    from.open(out.view(), 0);
    expect(read(items, from)).toEqual(items.map(each => each.value));
  });

  it.each([
    [0, 1],
    [-64, 1],
    [63, 1],
    [64, 2],
    [2 ** 52, 8],
  ])('writes the integer %d in %d bytes', (value, bytes) => {
    const out = new BitWriter();
    out.integer(value);
    expect(out.length).toBe(bytes);
  });
});
