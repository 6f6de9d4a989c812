import { describe, expect, it } from 'vitest';
import { RowBlock } from '../../src/store/rowBlock.ts';

const NONE = Number.NaN;

function createBlock(rows: readonly (readonly number[])[]): RowBlock {
  const block = new RowBlock();
  let slots = 0;
  for (const row of rows) {
    slots = Math.max(slots, row.length);
    block.append(Float64Array.from(row), slots);
  }
  return block;
}

function readColumn(
  block: RowBlock,
  slot: number,
  from = 0,
  to = block.rows,
): [values: number[], isConstant: boolean] {
  const into = new Float64Array(to - from + 1).fill(9);
  const isConstant = block.copyColumn(slot, from, to, into, 1);
  expect(into[0]).toBe(9);
  return [[...into.subarray(1)], isConstant];
}

describe('RowBlock', () => {
  it.each([
    [[1, 1, 1], [1, 1, 1], true],
    [[1, 2, 1], [1, 2, 1], false],
    [[NONE, NONE], [NONE, NONE], true],
    [[NONE, 1], [NONE, 1], false],
    [[Infinity, -Infinity, NONE], [NONE, NONE, NONE], true],
    [[0, -0], [0, -0], false],
    [[-0, -0], [-0, -0], true],
  ])('reads the column %j as %j, constant: %s', (storedValues, values, isConstant) => {
    expect(readColumn(createBlock(storedValues.map(value => [value])), 0)).toEqual([values, isConstant]);
  });

  it('returns NaN beyond the end of a row', () => {
    const rows = Array.from({ length: 20 }, (_, at) => Array.from({ length: 1 + at * 3 }, () => at));
    const block = createBlock(rows);
    for (let slot = 0; slot < 70; slot++) {
      expect(readColumn(block, slot)[0]).toEqual(rows.map(row => row[slot] ?? NONE));
    }
    expect(readColumn(block, 10_000)).toEqual([rows.map(() => NONE), true]);
  });

  it('is empty after clear, including values of longer rows', () => {
    const block = createBlock([[1, 2, 3]]);
    block.clear();
    block.append(Float64Array.of(4), 3);
    expect([readColumn(block, 0)[0], readColumn(block, 2)[0]]).toEqual([[4], [NONE]]);
  });

  it('copies a part of a column', () => {
    expect(readColumn(createBlock([[1], [2], [3], [4]]), 0, 1, 3)[0]).toEqual([2, 3]);
  });

  it.each([
    [1, 256],
    [1200, 32],
    [200, 146],
    [20_000, 32],
  ])('with %d slots is full after %d rows', (slots, rows) => {
    const block = new RowBlock();
    while (!block.isFull) block.append(new Float64Array(1), slots);
    expect(block.rows).toBe(rows);
  });

  it('accepts a wider row when it is almost full', () => {
    const block = createBlock(Array.from({ length: 255 }, (_, at) => [at]));
    block.append(Float64Array.of(255, 1), 5000);
    expect(block.isFull).toBe(true);
    expect(readColumn(block, 0)[0]).toEqual(Array.from({ length: 256 }, (_, at) => at));
    block.clear();
    while (!block.isFull) block.append(new Float64Array(1), 5000);
  });
});
