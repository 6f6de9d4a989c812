import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import parquet from '@dsnp/parquetjs/dist/gen-nodejs/parquet_types.js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ParquetError,
  type ParquetErrorCode,
  readServerMetricsParquet,
  validateParquet,
} from '../../src/parquet/index.ts';
import { int64 } from '../../src/parquet/write/thrift.ts';
import { appendFooter, buildPage, changeChunk, changeFooter } from './support/broken.ts';
import { buildHistogram, buildScalar } from './support/chunks.ts';
import { collect } from './support/collect.ts';
import { encodeRepeatedStrings } from './support/deltas.ts';
import { createTemporaryFolder, writeChunks } from './support/files.ts';

const folder = createTemporaryFolder();
const path = join(folder, 'broken.parquet');
const { CompressionCodec, Encoding } = parquet;

const whole = join(folder, 'whole.parquet');
await writeChunks(
  whole,
  [
    buildHistogram(
      'a',
      ['1', '+Inf'],
      [
        [0, 1],
        [2, 3],
      ],
    ),
    buildScalar('b', 'gauge', [1, 2]),
  ],
  {
    rowGroupRows: 4,
  },
);
const file = readFileSync(whole);
const oneRow = join(folder, 'one-row.parquet');
await writeChunks(oneRow, [buildScalar('b', 'gauge', [1])]);
const one = readFileSync(oneRow);

async function readAll(bytes: Uint8Array): Promise<unknown> {
  writeFileSync(path, bytes);
  const reader = await readServerMetricsParquet(path);
  try {
    return await collect(reader.batches());
  } finally {
    await reader.close();
  }
}

async function catchError(bytes: Uint8Array): Promise<ParquetError> {
  const error = await readAll(bytes).then(
    () => new Error('it was read'),
    (reason: unknown) => reason,
  );
  if (error instanceof ParquetError) return error;
  throw error;
}

/** Resident memory before the tests. */
let heldBefore = 0;
beforeAll(() => {
  heldBefore = process.memoryUsage().rss;
});

const uncompressed = (metadata: parquet.ColumnMetaData) => {
  metadata.codec = CompressionCodec.UNCOMPRESSED;
};
const gzipped = (metadata: parquet.ColumnMetaData) => {
  metadata.codec = CompressionCodec.GZIP;
};
const rowCount = (rows: number) => (bytes: Buffer) =>
  changeFooter(bytes, footer => {
    footer.num_rows = int64(rows);
    footer.row_groups[0]!.num_rows = int64(rows);
    for (const { meta_data } of footer.row_groups[0]!.columns) meta_data!.num_values = int64(rows);
  });

const cases: readonly (readonly [string, () => Uint8Array, ParquetErrorCode, string])[] = [
  ['an empty file', () => Buffer.alloc(0), 'magic', 'not a Parquet file: 0 bytes'],
  [
    'another kind of file',
    () => Buffer.from('{"schema_version": "1.0"}'),
    'magic',
    'not a Parquet file, or truncated: it starts with',
  ],
  ['a file without its end', () => file.subarray(0, -20), 'magic', 'or truncated'],
  [
    'only the magic bytes',
    () => Buffer.from('PAR1PAR1PAR1PAR1'),
    'footer',
    'the footer states a length of 827474256 bytes in a file of 16',
  ],
  [
    'a footer that claims 4 GB',
    () => Buffer.concat([file.subarray(0, -8), Buffer.from('ffffffff50415231', 'hex')]),
    'footer',
    'the footer states a length of 4294967295 bytes',
  ],
  [
    'an empty footer',
    () => appendFooter(Buffer.from('PAR1'), Buffer.from([0])),
    'footer',
    'the schema has no columns',
  ],
  [
    'a footer of random bytes',
    () => appendFooter(Buffer.from('PAR1'), Buffer.alloc(100, 0xff)),
    'footer',
    'unknown type 15',
  ],
  [
    'a list of four billion row groups',
    () => appendFooter(Buffer.from('PAR1'), Buffer.from('49fcffffffff0f00', 'hex')),
    'footer',
    'states -1 rows',
  ],
  [
    'a footer of nested structures',
    () => appendFooter(Buffer.from('PAR1'), Buffer.alloc(100_000, 0x1c)),
    'footer',
    'nested too deeply',
  ],
  [
    'more rows than in the row groups',
    () =>
      changeFooter(file, footer => {
        footer.num_rows = int64(7);
      }),
    'footer',
    'the file states 7 rows, but its row groups have 6',
  ],
  [
    'a row group that lacks a column chunk',
    () =>
      changeFooter(file, footer => {
        footer.row_groups[0]!.columns.pop();
      }),
    'footer',
    'row group 0 has 10 column chunks for 11 columns',
  ],
  [
    'a column chunk after the end of the file',
    () =>
      changeFooter(file, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.total_compressed_size = int64(10e9);
      }),
    'footer',
    'outside the',
  ],
  [
    'a column chunk before the start of the file',
    () =>
      changeFooter(file, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.dictionary_page_offset = int64(1);
      }),
    'footer',
    'at offset 1',
  ],
  [
    'a column chunk in another file',
    () =>
      changeFooter(file, footer => {
        footer.row_groups[0]!.columns[0]!.file_path = '/etc/passwd';
      }),
    'unsupported',
    '/etc/passwd',
  ],
  [
    'more rows than fit into the file',
    () => rowCount(10 ** 12)(one),
    'limit',
    'the file states 1000000000000 rows',
  ],
  [
    'a column with another number of rows than its row group',
    () =>
      changeFooter(one, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.num_values = int64(2);
      }),
    'footer',
    'has 2 values in a row group of 1 rows',
  ],
  ['more rows than in the pages', () => rowCount(1000)(one), 'page', 'the column chunk ends 999 rows early'],
  [
    'an unknown codec',
    () =>
      changeFooter(one, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.codec = 77 as never;
      }),
    'unsupported',
    'codec 77',
  ],
  [
    'a page that claims 2 GB of Snappy',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(Uint8Array.of(255, 255, 255, 255, 7, 0, 0), { unpackedSize: 2 ** 31 - 1 }),
      ),
    'limit',
    'the limit is 268435456',
  ],
  [
    'a page that claims 200 MB of Snappy',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(Uint8Array.of(0x80, 0x84, 0xaf, 0x5f, 0, 0), { unpackedSize: 200_000_000 }),
      ),
    'page',
    '6 bytes cannot decompress to 200000000',
  ],
  [
    'a GZIP page of 30 MB that claims 8 bytes',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(gzipSync(Buffer.alloc(30e6), { level: 1 }), { unpackedSize: 8 }),
        gzipped,
      ),
    'page',
    'cannot decompress',
  ],
  [
    'a GZIP page of 8 bytes that claims 100 MB',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(gzipSync(Buffer.alloc(8)), { unpackedSize: 100e6 }),
        gzipped,
      ),
    'page',
    'a page has 8 bytes, but its header states 100000000',
  ],
  [
    'a page that is longer than its chunk',
    () => changeChunk(one, 'timestamp_ns', buildPage(Buffer.alloc(8), { packedSize: 1e9 }), uncompressed),
    'page',
    'its chunk has only 8 bytes left',
  ],
  [
    'a page of negative size',
    () => changeChunk(one, 'timestamp_ns', buildPage(Buffer.alloc(8), { packedSize: -5 }), uncompressed),
    'page',
    'cannot read a page header',
  ],
  [
    'a column chunk of random bytes',
    () => changeChunk(one, 'timestamp_ns', Buffer.alloc(3000, 0xff), uncompressed),
    'page',
    'cannot read a page header',
  ],
  [
    'a page header of 2 MB',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        Buffer.concat([Buffer.from('188080800100', 'hex').subarray(0, 5), Buffer.alloc(2e6)]),
        uncompressed,
      ),
    'page',
    'cannot read a page header',
  ],
  [
    'a page with too few values',
    () => changeChunk(one, 'timestamp_ns', buildPage(Buffer.alloc(7)), uncompressed),
    'page',
    'the values of a page are truncated',
  ],
  [
    'codes without a dictionary',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(Uint8Array.of(0, 2), { encoding: Encoding.RLE_DICTIONARY }),
        uncompressed,
      ),
    'page',
    'no dictionary',
  ],
  [
    'a code that is not in the dictionary',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        Buffer.concat([
          buildPage(Buffer.alloc(8), { isDictionary: true }),
          buildPage(Uint8Array.of(8, 2, 9), { encoding: Encoding.RLE_DICTIONARY }),
        ]),
        uncompressed,
      ),
    'page',
    'code 9 is not in the dictionary of 1 values',
  ],
  [
    'a string code that is not in the dictionary',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Uint8Array.of(8, 2, 9), { encoding: Encoding.RLE_DICTIONARY }),
        uncompressed,
      ),
    'page',
    'code 9 is not in the dictionary of 0 values',
  ],
  [
    'a dictionary that claims two billion values',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 2 ** 31 - 1 }),
        uncompressed,
      ),
    'page',
    'a dictionary of 2147483647 values has only 8 bytes',
  ],
  [
    'a dictionary that claims three million strings',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 3e6 }),
        uncompressed,
      ),
    'page',
    'a dictionary of 3000000 strings has only 8 bytes',
  ],
  [
    'a dictionary that claims two billion strings',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 2 ** 31 - 1 }),
        uncompressed,
      ),
    'limit',
    'a dictionary has 2147483647 strings; the limit is 4194304',
  ],
  [
    'a string that claims 4 GB',
    () => changeChunk(one, 'metric_name', buildPage(Uint8Array.of(255, 255, 255, 255, 65)), uncompressed),
    'page',
    'a string states 4294967295 bytes, but only 1 are left',
  ],
  [
    'levels that claim 4 GB',
    () => changeChunk(one, 'unit', buildPage(Uint8Array.of(255, 255, 255, 255, 2, 1)), uncompressed),
    'page',
    'the levels of a page are truncated',
  ],
  [
    'no levels',
    () => changeChunk(one, 'unit', buildPage(Buffer.alloc(2)), uncompressed),
    'page',
    'the levels of a page are truncated',
  ],
  [
    'deltas that claim four billion strings',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 15, 0), {
          encoding: Encoding.DELTA_LENGTH_BYTE_ARRAY,
        }),
        uncompressed,
      ),
    'limit',
    '4294967295 delta values',
  ],
  [
    'truncated deltas',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 200, 1, 0), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        uncompressed,
      ),
    'page',
    'truncated',
  ],
  [
    'a prefix of the first string',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 1, 6, 0x80, 1, 4, 1, 0), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        uncompressed,
      ),
    'page',
    'truncated',
  ],
  [
    'a dictionary of five million empty strings',
    () => {
      const dictionary = buildPage(gzipSync(Buffer.alloc(20e6), { level: 1 }), {
        isDictionary: true,
        rows: 5e6,
        unpackedSize: 20e6,
      });
      return changeChunk(one, 'metric_name', dictionary, gzipped);
    },
    'limit',
    'a dictionary has 5000000 strings; the limit is 4194304',
  ],
  [
    'deltas that repeat a long string many times',
    () =>
      rowCount(100_000)(
        changeChunk(
          one,
          'endpoint_url',
          buildPage(encodeRepeatedStrings(100_000, 10_000), {
            rows: 100_000,
            encoding: Encoding.DELTA_BYTE_ARRAY,
          }),
          uncompressed,
        ),
      ),
    'limit',
    'the repeated prefixes of a page exceed 268435456 bytes',
  ],
  [
    'an encoding that strings cannot have',
    () =>
      changeChunk(
        one,
        'metric_name',
        buildPage(Buffer.alloc(8), { encoding: Encoding.BYTE_STREAM_SPLIT }),
        uncompressed,
      ),
    'unsupported',
    'a page has encoding 9',
  ],
  [
    'an encoding that numbers cannot have',
    () =>
      changeChunk(
        one,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        uncompressed,
      ),
    'unsupported',
    'a page has encoding 7',
  ],
];

describe('a corrupt or hostile file is rejected with a message:', () => {
  test.each(cases)('%s', async (_, build, code, message) => {
    const error = await catchError(build());
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
    const rule = code === 'unsupported' ? 'parquet-unsupported' : 'parquet-invalid';
    expect((await validateParquet(path)).map(issue => issue.rule)).toContain(rule);
  });
});

test('half a million rows in a few run lengths are read in bounded memory', async () => {
  const rows = 500_000;
  const runHeader = Uint8Array.of(0xc0, 0x84, 0x3d); // 2 * 500,000 as a varint
  const noLevels = buildPage(Buffer.concat([Uint8Array.of(4, 0, 0, 0), runHeader, Uint8Array.of(0)]), {
    rows,
  });
  const codes = buildPage(Buffer.concat([Uint8Array.of(0), runHeader]), {
    rows,
    encoding: Encoding.RLE_DICTIONARY,
  });
  const constant = (value: Uint8Array) => Buffer.concat([buildPage(value, { isDictionary: true }), codes]);
  let bytes: Buffer = one;
  for (const column of ['unit', 'description', 'value', 'sum', 'count', 'bucket_le', 'bucket_count']) {
    bytes = changeChunk(bytes, column, noLevels, uncompressed);
  }
  for (const column of ['endpoint_url', 'metric_name', 'metric_type']) {
    bytes = changeChunk(bytes, column, constant(Uint8Array.of(1, 0, 0, 0, 97)), uncompressed);
  }
  bytes = changeChunk(bytes, 'timestamp_ns', constant(Buffer.alloc(8, 1)), uncompressed);
  writeFileSync(path, rowCount(rows)(bytes));
  const reader = await readServerMetricsParquet(path);
  let read = 0;
  for await (const batch of reader) read += batch.rows;
  expect(read).toBe(rows);
});

test('a file that is truncated anywhere is rejected', async () => {
  for (let length = 0; length < file.length; length += 23) {
    await expect(readAll(file.subarray(0, length))).rejects.toBeInstanceOf(ParquetError);
  }
});

test('a file with any changed byte is either read or rejected', async () => {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let refused = 0;
  for (let i = 0; i < 200; i++) {
    const changed = Buffer.from(file);
    for (let n = 0; n <= random(3); n++) changed[random(file.length)] = random(256);
    await readAll(changed).catch((error: unknown) => {
      if (!(error instanceof ParquetError)) throw error;
      refused++;
    });
    expect(Array.isArray(await validateParquet(path))).toBe(true);
  }
  expect(refused).toBeGreaterThan(50);
});

test('the tests above need little memory', () => {
  expect(process.memoryUsage().rss - heldBefore).toBeLessThan(400e6);
});
