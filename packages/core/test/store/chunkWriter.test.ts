import { describe, expect, it } from 'vitest';
import { type HistogramSeries, Layout, type ScalarSeries, type Slot } from '../../src/layout/layout.ts';
import { BitReader } from '../../src/store/bitPacking.ts';
import type { Chunk } from '../../src/store/chunk.ts';
import { compressBlock } from '../../src/store/chunkWriter.ts';
import { ConstantSlots } from '../../src/store/constantSlots.ts';
import { CumulativeChains } from '../../src/store/cumulativeChains.ts';
import { RowBlock } from '../../src/store/rowBlock.ts';

const NONE = Number.NaN;

interface Fixture {
  readonly layout: Layout;
  readonly gauge: ScalarSeries;
  readonly histogram: HistogramSeries;
}

/** Creates a layout of a gauge and of a histogram with the bounds 1 and +Inf: slots value, sum, count, 1, +Inf. */
function createLayout(): Fixture {
  const layout = new Layout();
  const gauge = layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
  const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
  for (const [le, text] of [
    [1, '1'],
    [Infinity, '+Inf'],
  ] as const)
    layout.bucket(histogram, le, text);
  return { layout, gauge, histogram };
}

/** Compresses rows: the gauge, then sum, count and the cumulative buckets 1 and +Inf. */
function compress(
  layout: Layout,
  rows: readonly (readonly number[])[],
  constants: ConstantSlots = new ConstantSlots(),
): Chunk {
  const block = new RowBlock();
  const slotCount = rows[0]!.length;
  for (const row of rows) block.append(Float64Array.from(row), slotCount);
  return compressBlock(
    block,
    { index: 0, firstFrame: 0, slotCount },
    new CumulativeChains(layout),
    constants,
  );
}

/** Reads the stored column of a slot; null if it is constant. */
function readStored(chunk: Chunk, slot: Slot): number[] | null {
  const into = new Float64Array(chunk.rows);
  return chunk.read(slot, new BitReader(), into, 0) ? [...into] : null;
}

describe('compressBlock', () => {
  it('stores scalars unchanged, and bucket chains as differences', () => {
    const { layout, gauge, histogram } = createLayout();
    const chunk = compress(layout, [
      [0.5, 1.5, 10, 7, 10],
      [0.25, 2.5, 21, 9, 20],
      [NONE, 3.5, 33, 12, 30],
    ]);
    const [bucket1, infiniteBucket] = histogram.buckets.map(({ slot }) => slot);
    expect(readStored(chunk, gauge.value)).toEqual([0.5, 0.25, NONE]);
    expect(readStored(chunk, histogram.sum)).toEqual([1.5, 2.5, 3.5]);
    expect(readStored(chunk, bucket1!)).toEqual([7, 9, 12]);
    expect(readStored(chunk, infiniteBucket!)).toEqual([3, 11, 18]);
    expect(readStored(chunk, histogram.count)).toEqual([0, 1, 3]);
    expect(chunk.plainCounts).toBeNull();
  });

  it.each([
    ['values are not integers', [1.5, 2]],
    ['a bucket is absent in one row', [NONE, 2]],
    ['a value is -0', [-0, 2]],
    ['a value is too large for exact differences', [2 ** 53, 2]],
  ])('stores chains unchanged if %s', (_, bucketValues) => {
    const { layout, histogram } = createLayout();
    const chunk = compress(
      layout,
      bucketValues.map((value, row) => [0, 0, 9 + row, value, 5 + row]),
    );
    expect(chunk.plainCounts).toEqual(new Set([histogram.count]));
    expect(histogram.buckets.map(({ slot }) => readStored(chunk, slot))).toEqual([bucketValues, [5, 6]]);
    expect(readStored(chunk, histogram.count)).toEqual([9, 10]);
  });

  it('records constants instead of storing columns', () => {
    const { layout, gauge, histogram } = createLayout();
    const constants = new ConstantSlots();
    const chunk = compress(
      layout,
      [
        [4, 1, 5, 2, 5],
        [4, 2, 6, 3, 6],
      ],
      constants,
    );
    const [bucket1, infiniteBucket] = histogram.buckets.map(({ slot }) => slot);
    expect(readStored(chunk, gauge.value)).toBeNull();
    expect(constants.createReader(gauge.value, 0)(0)).toBe(4);
    // The differences of the buckets are constant, although their values are not.
    expect([readStored(chunk, bucket1!), readStored(chunk, infiniteBucket!)]).toEqual([[2, 3], null]);
    expect(constants.createReader(infiniteBucket!, 0)(0)).toBe(3);
    expect(constants.createReader(histogram.count, 0)(0)).toBe(0);
  });

  it('stores constants that cannot be recorded', () => {
    const { layout, gauge } = createLayout();
    const constants = new ConstantSlots();
    constants.freeze();
    const rows = [0, 0].map(() => [4, 0, 0, 0, 0]);
    expect(readStored(compress(layout, rows, constants), gauge.value)).toEqual([4, 4]);
  });

  it('compresses a block with thousands of slots', () => {
    const layout = new Layout();
    const gauges = Array.from({ length: 3000 }, (_, i) =>
      layout.scalar({ name: `g${i}`, type: 'gauge', help: '' }, []),
    );
    const chunk = compress(layout, [gauges.map((_, i) => i), gauges.map((_, i) => 2 * i + 1)]);
    expect(readStored(chunk, gauges[2999]!.value)).toEqual([2999, 5999]);
  });
});
