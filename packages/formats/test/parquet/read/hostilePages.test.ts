import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import parquet from '@dsnp/parquetjs/dist/gen-nodejs/parquet_types.js';
import { expect, test } from 'vitest';
import { readServerMetricsParquet } from '../../../src/parquet/index.ts';
import { buildPage, changeChunk, changeFooter } from '../support/broken.ts';
import { encodeRepeatedStrings } from '../support/deltas.ts';
import {
  changeRowCount,
  checkMemoryAfterTests,
  expectRejection,
  type HostileCase,
  oneRowFile,
  path,
} from '../support/hostile.ts';

checkMemoryAfterTests();

const { CompressionCodec, Encoding } = parquet;

const setUncompressedCodec = (metadata: parquet.ColumnMetaData) => {
  metadata.codec = CompressionCodec.UNCOMPRESSED;
};
const setGzipCodec = (metadata: parquet.ColumnMetaData) => {
  metadata.codec = CompressionCodec.GZIP;
};
const cases: readonly HostileCase[] = [
  [
    'an unknown codec',
    () =>
      changeFooter(oneRowFile, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.codec = 77 as never;
      }),
    'unsupported',
    'codec 77',
  ],
  [
    'a page that claims 2 GB of Snappy',
    () =>
      changeChunk(
        oneRowFile,
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
        oneRowFile,
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
        oneRowFile,
        'timestamp_ns',
        buildPage(gzipSync(Buffer.alloc(30e6), { level: 1 }), { unpackedSize: 8 }),
        setGzipCodec,
      ),
    'page',
    'cannot decompress',
  ],
  [
    'a GZIP page of 8 bytes that claims 100 MB',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(gzipSync(Buffer.alloc(8)), { unpackedSize: 100e6 }),
        setGzipCodec,
      ),
    'page',
    'a page has 8 bytes, but its header states 100000000',
  ],
  [
    'a page that is longer than its chunk',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { packedSize: 1e9 }),
        setUncompressedCodec,
      ),
    'page',
    'its chunk has only 8 bytes left',
  ],
  [
    'a page of negative size',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { packedSize: -5 }),
        setUncompressedCodec,
      ),
    'page',
    'cannot read a page header',
  ],
  [
    'a column chunk of random bytes',
    () => changeChunk(oneRowFile, 'timestamp_ns', Buffer.alloc(3000, 0xff), setUncompressedCodec),
    'page',
    'cannot read a page header',
  ],
  [
    'a page header of 2 MB',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        Buffer.concat([Buffer.from('188080800100', 'hex').subarray(0, 5), Buffer.alloc(2e6)]),
        setUncompressedCodec,
      ),
    'page',
    'cannot read a page header',
  ],
  [
    'a page with too few values',
    () => changeChunk(oneRowFile, 'timestamp_ns', buildPage(Buffer.alloc(7)), setUncompressedCodec),
    'page',
    'the values of a page are truncated',
  ],
  [
    'dictionary codes without a dictionary',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(Uint8Array.of(0, 2), { encoding: Encoding.RLE_DICTIONARY }),
        setUncompressedCodec,
      ),
    'page',
    'no dictionary',
  ],
  [
    'a code that is not in the dictionary',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        Buffer.concat([
          buildPage(Buffer.alloc(8), { isDictionary: true }),
          buildPage(Uint8Array.of(8, 2, 9), { encoding: Encoding.RLE_DICTIONARY }),
        ]),
        setUncompressedCodec,
      ),
    'page',
    'code 9 is not in the dictionary of 1 values',
  ],
  [
    'a string code that is not in the dictionary',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Uint8Array.of(8, 2, 9), { encoding: Encoding.RLE_DICTIONARY }),
        setUncompressedCodec,
      ),
    'page',
    'code 9 is not in the dictionary of 0 values',
  ],
  [
    'a dictionary that claims two billion values',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 2 ** 31 - 1 }),
        setUncompressedCodec,
      ),
    'page',
    'a dictionary of 2147483647 values has only 8 bytes',
  ],
  [
    'a dictionary that claims three million strings',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 3e6 }),
        setUncompressedCodec,
      ),
    'page',
    'a dictionary of 3000000 strings has only 8 bytes',
  ],
  [
    'a dictionary that claims two billion strings',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Buffer.alloc(8), { isDictionary: true, rows: 2 ** 31 - 1 }),
        setUncompressedCodec,
      ),
    'limit',
    'a dictionary has 2147483647 strings; the limit is 4194304',
  ],
  [
    'a string that claims 4 GB',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Uint8Array.of(255, 255, 255, 255, 65)),
        setUncompressedCodec,
      ),
    'page',
    'a string states 4294967295 bytes, but only 1 are left',
  ],
  [
    'levels that claim 4 GB',
    () =>
      changeChunk(
        oneRowFile,
        'unit',
        buildPage(Uint8Array.of(255, 255, 255, 255, 2, 1)),
        setUncompressedCodec,
      ),
    'page',
    'the levels of a page are truncated',
  ],
  [
    'levels without a complete length',
    () => changeChunk(oneRowFile, 'unit', buildPage(Buffer.alloc(2)), setUncompressedCodec),
    'page',
    'the levels of a page are truncated',
  ],
  [
    'deltas that claim four billion strings',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 15, 0), {
          encoding: Encoding.DELTA_LENGTH_BYTE_ARRAY,
        }),
        setUncompressedCodec,
      ),
    'limit',
    '4294967295 delta values',
  ],
  [
    'truncated deltas',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 200, 1, 0), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        setUncompressedCodec,
      ),
    'page',
    'truncated',
  ],
  [
    'a first string with a prefix',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Uint8Array.of(0x80, 1, 4, 1, 6, 0x80, 1, 4, 1, 0), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        setUncompressedCodec,
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
      return changeChunk(oneRowFile, 'metric_name', dictionary, setGzipCodec);
    },
    'limit',
    'a dictionary has 5000000 strings; the limit is 4194304',
  ],
  [
    'deltas that repeat a long string many times',
    () =>
      changeRowCount(
        changeChunk(
          oneRowFile,
          'endpoint_url',
          buildPage(encodeRepeatedStrings(100_000, 10_000), {
            rows: 100_000,
            encoding: Encoding.DELTA_BYTE_ARRAY,
          }),
          setUncompressedCodec,
        ),
        100_000,
      ),
    'limit',
    'the repeated prefixes of a page exceed 268435456 bytes',
  ],
  [
    'an encoding that is not defined for strings',
    () =>
      changeChunk(
        oneRowFile,
        'metric_name',
        buildPage(Buffer.alloc(8), { encoding: Encoding.BYTE_STREAM_SPLIT }),
        setUncompressedCodec,
      ),
    'unsupported',
    'a page has encoding 9',
  ],
  [
    'an encoding that is not defined for integers',
    () =>
      changeChunk(
        oneRowFile,
        'timestamp_ns',
        buildPage(Buffer.alloc(8), { encoding: Encoding.DELTA_BYTE_ARRAY }),
        setUncompressedCodec,
      ),
    'unsupported',
    'a page has encoding 7',
  ],
];

test.each(cases)('rejects %s', async (...hostileCase) => {
  await expectRejection(hostileCase);
});

test('half a million rows in a few runs are read in bounded memory', async () => {
  const rows = 500_000;
  const runHeader = Uint8Array.of(0xc0, 0x84, 0x3d); // 2 * 500,000 as a varint
  const nulls = buildPage(Buffer.concat([Uint8Array.of(4, 0, 0, 0), runHeader, Uint8Array.of(0)]), {
    rows,
  });
  const codes = buildPage(Buffer.concat([Uint8Array.of(0), runHeader]), {
    rows,
    encoding: Encoding.RLE_DICTIONARY,
  });
  const buildConstant = (value: Uint8Array) =>
    Buffer.concat([buildPage(value, { isDictionary: true }), codes]);
  let bytes: Buffer = oneRowFile;
  for (const column of ['unit', 'description', 'value', 'sum', 'count', 'bucket_le', 'bucket_count']) {
    bytes = changeChunk(bytes, column, nulls, setUncompressedCodec);
  }
  for (const column of ['endpoint_url', 'metric_name', 'metric_type']) {
    bytes = changeChunk(bytes, column, buildConstant(Uint8Array.of(1, 0, 0, 0, 97)), setUncompressedCodec);
  }
  bytes = changeChunk(bytes, 'timestamp_ns', buildConstant(Buffer.alloc(8, 1)), setUncompressedCodec);
  writeFileSync(path, changeRowCount(bytes, rows));
  const reader = await readServerMetricsParquet(path);
  let rowsRead = 0;
  for await (const batch of reader) rowsRead += batch.rows;
  expect(rowsRead).toBe(rows);
});
