import { expect, test } from 'vitest';
import { ColumnBuffer } from '../../../src/parquet/write/columnBuffer.ts';
import { NULL_CODE } from '../../../src/parquet/write/runs.ts';

function listRuns({ runs }: ColumnBuffer): [code: number, length: number][] {
  return Array.from({ length: runs.size }, (_, i) => [runs.codes[i]!, runs.lengths[i]!]);
}

const textColumn = { name: 'unit', type: 'string', nullable: true } as const;
const doubleColumn = { name: 'value', type: 'double', nullable: true } as const;

test('joins consecutive rows with the same string', () => {
  const buffer = new ColumnBuffer(textColumn);
  buffer.pushText('s', 2);
  buffer.pushText('s', 3);
  buffer.pushText(null, 4);
  buffer.pushText('ms', 1);
  expect(listRuns(buffer)).toEqual([
    [0, 5],
    [NULL_CODE, 4],
    [1, 1],
  ]);
});

test('repeats each 64-bit value, and distinguishes 0 and -0', () => {
  const buffer = new ColumnBuffer(doubleColumn);
  buffer.pushWords(Float64Array.of(9, 0, -0, 0), 1, 4, 2);
  expect(listRuns(buffer)).toEqual([
    [0, 2],
    [1, 2],
    [0, 2],
  ]);
});

test('adds bounds and counts of buckets timestamp by timestamp', () => {
  const bounds = new ColumnBuffer(textColumn);
  bounds.pushBounds(['1', '+Inf'], 2);
  expect(listRuns(bounds).map(([code]) => code)).toEqual([0, 1, 0, 1]);
  const counts = new ColumnBuffer(doubleColumn);
  counts.pushBuckets([Float64Array.of(1, 1, 2), Float64Array.of(3, 4, 4)], 0, 3);
  expect(new Float64Array(counts.words.getWords().slice().buffer)).toEqual(Float64Array.of(1, 3, 4, 2));
  expect(listRuns(counts).map(([code]) => code)).toEqual([0, 1, 0, 2, 3, 2]);
});

test('is empty after clear', () => {
  const buffer = new ColumnBuffer(textColumn);
  buffer.pushText('s', 2);
  buffer.clear();
  expect(buffer.runs).toMatchObject({ size: 0, rows: 0, nulls: 0 });
  expect(buffer.texts.size).toBe(0);
});
