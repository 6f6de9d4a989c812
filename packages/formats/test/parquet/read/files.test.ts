import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { validateParquet } from '../../../src/parquet/index.ts';
import { readRows } from '../support/files.ts';

const folder = new URL('../../files/parquet/', import.meta.url);
const getPath = (name: string) => new URL(`${name}.parquet`, folder).pathname;

type Cell = string | number | null;
const { columns, rows } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as {
  columns: string[];
  rows: Cell[][];
};
const expected = rows.map(row =>
  Object.fromEntries(
    row.map((cell, i) => [columns[i]!, columns[i] === 'timestamp_ns' ? BigInt(cell!) : cell]),
  ),
);

const hasZstd = 'zstdDecompressSync' in zlib;
if (!hasZstd) console.info('skipped: zstd.parquet; this version of Node.js cannot decompress ZSTD');

describe.each([
  ['aiperf', 'written by pyarrow with the options of AIPerf'],
  ['pages-v2', 'many pages of version 2'],
  ['plain', 'without dictionaries and compression'],
  ['gzip', 'GZIP'],
  ['brotli', 'BROTLI in pages of version 2'],
  ...(hasZstd ? [['zstd', 'ZSTD']] : []),
  ['fallback', 'dictionaries that grew too large, followed by plain pages'],
  ['delta', 'DELTA_BYTE_ARRAY, DELTA_BINARY_PACKED and BYTE_STREAM_SPLIT'],
  ['delta-length', 'DELTA_LENGTH_BYTE_ARRAY'],
  ['polars', 'written by Polars'],
  ['fastparquet', 'written by fastparquet'],
])('%s.parquet: %s', name => {
  test.each([1, 7, 100_000])('returns its rows in batches of %i', async batchRows => {
    expect(await readRows(getPath(name!), batchRows)).toEqual(expected);
  });
});

test('aiperf.parquet is valid', async () => {
  expect(await validateParquet(getPath('aiperf'))).toEqual([]);
});

test.each([['lz4', 'LZ4_RAW'], ...(hasZstd ? [] : [['zstd', 'ZSTD']])])(
  '%s.parquet is rejected with the name of its codec',
  async (name, codec) => {
    await expect(readRows(getPath(name!))).rejects.toThrow(`compression ${codec}`);
    expect(await validateParquet(getPath(name!))).toMatchObject([
      { rule: 'parquet-unsupported', severity: 'error' },
    ]);
  },
);
