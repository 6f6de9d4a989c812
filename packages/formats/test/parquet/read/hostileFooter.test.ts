import { expect, test } from 'vitest';
import { ParquetError, validateParquet } from '../../../src/parquet/index.ts';
import { int64 } from '../../../src/parquet/write/thrift.ts';
import { appendFooter, changeFooter } from '../support/broken.ts';
import {
  changeRowCount,
  checkMemoryAfterTests,
  expectRejection,
  file,
  type HostileCase,
  oneRowFile,
  path,
  readAll,
} from '../support/hostile.ts';

checkMemoryAfterTests();

const cases: readonly HostileCase[] = [
  ['an empty file', () => Buffer.alloc(0), 'magic', 'not a Parquet file: 0 bytes'],
  [
    'a file in another format',
    () => Buffer.from('{"schema_version": "1.0"}'),
    'magic',
    'not a Parquet file, or truncated: it starts with',
  ],
  ['a truncated file', () => file.subarray(0, -20), 'magic', 'or truncated'],
  [
    'a file with only the magic bytes',
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
    'a list that claims four billion row groups',
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
    'a footer that states more rows than its row groups',
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
    'a footer that states more rows than fit into the file',
    () => changeRowCount(oneRowFile, 10 ** 12),
    'limit',
    'the file states 1000000000000 rows',
  ],
  [
    'a column chunk with a number of values that differs from its row group',
    () =>
      changeFooter(oneRowFile, footer => {
        footer.row_groups[0]!.columns[0]!.meta_data!.num_values = int64(2);
      }),
    'footer',
    'has 2 values in a row group of 1 rows',
  ],
  [
    'a footer that states more rows than the pages contain',
    () => changeRowCount(oneRowFile, 1000),
    'page',
    'the column chunk ends 999 rows early',
  ],
];

test.each(cases)('rejects %s', async (...hostileCase) => {
  await expectRejection(hostileCase);
});

test('a file that is truncated at any offset is rejected', async () => {
  for (let length = 0; length < file.length; length += 23) {
    await expect(readAll(file.subarray(0, length))).rejects.toBeInstanceOf(ParquetError);
  }
});

test('a file with randomly changed bytes is either read or rejected', async () => {
  let state = 7;
  const getRandomInteger = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let rejectedCount = 0;
  for (let i = 0; i < 200; i++) {
    const changed = Buffer.from(file);
    for (let n = 0; n <= getRandomInteger(3); n++)
      changed[getRandomInteger(file.length)] = getRandomInteger(256);
    await readAll(changed).catch((error: unknown) => {
      if (!(error instanceof ParquetError)) throw error;
      rejectedCount++;
    });
    expect(Array.isArray(await validateParquet(path))).toBe(true);
  }
  expect(rejectedCount).toBeGreaterThan(50);
});
