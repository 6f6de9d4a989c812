import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFooter } from '../../../src/parquet/read/footer.ts';
import { ByteSource } from '../../../src/parquet/read/source.ts';
import { int64 } from '../../../src/parquet/write/thrift.ts';
import { appendFooter, changeFooter } from '../support/broken.ts';

const file = readFileSync(join(import.meta.dirname, '../../files/parquet/plain.parquet'));
const readFooterFromBytes = (bytes: Uint8Array) => readFooter(new ByteSource(bytes));

test('returns the rows, columns and position of each column chunk', async () => {
  const footer = await readFooterFromBytes(file);
  expect(footer.rowGroups.reduce((sum, group) => sum + group.rows, 0)).toBe(footer.rows);
  expect(footer.isFlat).toBe(true);
  expect(footer.leaves.map(({ name }) => name)).toContain('timestamp_ns');
  for (const { chunks } of footer.rowGroups) {
    expect(chunks).toHaveLength(footer.leaves.length);
    for (const { start, size } of chunks) expect(start + size).toBeLessThan(file.length);
  }
});

describe('rejects', () => {
  test.each([
    [
      'a file that is too short',
      Buffer.from('PAR1PAR1'),
      'not a Parquet file: 8 bytes, expected at least 12',
    ],
    [
      'a file with other magic bytes',
      Buffer.from('x'.repeat(20)),
      'not a Parquet file, or truncated: it starts with "xxxx" and ends with "xxxx", expected "PAR1"',
    ],
    [
      'a footer that is longer than the file',
      appendFooter(Buffer.from('PAR1'), Buffer.alloc(0)).fill(0xff, 4, 6),
      'the footer states a length of 65535 bytes in a file of 12 bytes',
    ],
    [
      'a number of rows that differs from the row groups',
      changeFooter(file, footer => (footer.num_rows = int64(1))),
      /the file states 1 rows, but its row groups have \d+/,
    ],
    [
      'a column without a chunk',
      changeFooter(file, footer => footer.row_groups[0]!.columns.pop()),
      /row group 0 has \d+ column chunks for \d+ columns/,
    ],
    [
      'a chunk outside the file',
      changeFooter(
        file,
        footer => (footer.row_groups[0]!.columns[0]!.meta_data!.data_page_offset = int64(1e9)),
      ),
      /a column chunk of \d+ bytes at offset 1000000000 is outside the file of \d+ bytes/,
    ],
    [
      'data in another file',
      changeFooter(file, footer => (footer.row_groups[0]!.columns[0]!.file_path = 'other.parquet')),
      'column data is in another file, other.parquet',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(readFooterFromBytes(bytes)).rejects.toThrow(message);
  });
});
