import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatTargetKey } from '../../src/api/metadata.ts';
import type { StoredSeries } from '../../src/series.ts';
import { PieceWriter, readPieceIndex, readPieceSeries } from '../../src/spool/pieceFile.ts';
import { parseKey } from '../../src/spool/seriesCodec.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'piece-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function createSeries(instance: string, name: string): StoredSeries {
  return {
    labels: [
      ['__name__', name],
      ['instance', instance],
      ['job', 'é"'],
    ],
    blocks: [
      { kind: 'xor', chunk: Uint8Array.of(0, 2, 3), minMs: 1.5e12, maxMs: Infinity },
      { kind: 'raw', timesMs: Float64Array.of(1.5e12, 1.6e12), values: Float64Array.of(-0, Number.NaN) },
    ],
  };
}

it('returns the series of each endpoint', () => {
  const writer = new PieceWriter(folder, 0);
  const all = [createSeries('a', 'x'), createSeries('b', 'x'), createSeries('a', 'y')];
  for (const series of all) writer.add(series);
  expect(readPieceIndex(folder, 0)).toBeUndefined();
  const { series } = writer.complete();
  expect(series).toBe(3);
  const index = readPieceIndex(folder, 0)!;
  const read = [...readPieceSeries(folder, 0, index, formatTargetKey('é"', 'a'))];
  expect(read.map(({ key }) => parseKey(key))).toEqual([all[0]!.labels, all[2]!.labels]);
  expect(
    read[0]!.blocks.map(block => (block.kind === 'xor' ? { ...block, chunk: [...block.chunk] } : block)),
  ).toEqual([{ kind: 'xor', chunk: [0, 2, 3], minMs: 1.5e12, maxMs: Infinity }, all[0]!.blocks[1]]);
  expect([...readPieceSeries(folder, 0, index, 'other')]).toEqual([]);
  expect(index.samples).toEqual({ [formatTargetKey('é"', 'a')]: 8, [formatTargetKey('é"', 'b')]: 4 });
});

it('is not complete if it was abandoned', () => {
  const writer = new PieceWriter(folder, 3);
  writer.add(createSeries('a', 'x'));
  writer.abandon();
  expect(readPieceIndex(folder, 3)).toBeUndefined();
});
