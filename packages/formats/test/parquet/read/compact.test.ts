import parquetTypes from '@dsnp/parquetjs/dist/gen-nodejs/parquet_types.js';
import { describe, expect, test } from 'vitest';
import { CompactReader } from '../../../src/parquet/read/compact.ts';
import { int64, serialize } from '../../../src/parquet/write/thrift.ts';

describe('CompactReader', () => {
  test('reads the fields that the callback accepts, and skips the others', () => {
    const bytes = serialize(
      new parquetTypes.FileMetaData({
        version: 1,
        schema: [new parquetTypes.SchemaElement({ name: 'größe', num_children: 2 })],
        num_rows: int64(2 ** 40 + 1),
        row_groups: [],
        key_value_metadata: Array.from(
          { length: 20 },
          (_, i) => new parquetTypes.KeyValue({ key: `${i}`, value: 'v' }),
        ),
        created_by: 'me',
      }),
    );
    const reader = new CompactReader(bytes);
    const values: unknown[] = [];
    reader.readStruct(id => {
      if (id === 2) values.push(reader.readList(() => readName(reader)));
      else if (id === 3) values.push(reader.readInt());
      else if (id === 6) values.push(reader.readText());
      else return false;
      return true;
    });
    expect(values).toEqual([['größe'], 2 ** 40 + 1, 'me']);
    expect(reader.at).toBe(bytes.length);
  });

  function readName(reader: CompactReader): string {
    let name = '';
    reader.readStruct(id => {
      if (id !== 4) return false;
      name = reader.readText();
      return true;
    });
    return name;
  }

  test.each([
    [[0x00], 0],
    [[0x01], -1],
    [[0x02], 1],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], -(2 ** 31)],
    [[0xfe, 0xff, 0xff, 0xff, 0x0f], 2 ** 31 - 1],
  ])('decodes the zigzag varint %j as %i', (bytes, value) => {
    expect(new CompactReader(Uint8Array.from(bytes)).readInt()).toBe(value);
  });

  const skipStruct = (bytes: readonly number[]) =>
    new CompactReader(Uint8Array.from(bytes)).readStruct(() => false);

  test('skips every type', () => {
    const fields = [
      [0x11], // true
      [0x12], // false
      [0x13, 7], // byte
      [0x14, 2], // i16
      [0x17, 0, 0, 0, 0, 0, 0, 0, 0], // double
      [0x18, 2, 65, 66], // binary
      [0x19, 0x25, 2, 4], // list of two i32
      [0x19, 0xf1, 0x10, ...Array<number>(16).fill(1)], // list of sixteen booleans
      [0x1b, 1, 0x85, 1, 65, 4], // map of one binary to i32
      [0x1b, 0], // empty map
      [0x1c, 0x15, 2, 0], // structure
      [0x05, 0xc8, 0x01, 2], // i32 with its id written out
    ];
    expect(() => skipStruct([...fields.flat(), 0])).not.toThrow();
  });

  test.each([
    ['a structure without an end', [], 'truncated'],
    ['a truncated value', [0x15], 'truncated'],
    ['a string longer than the remaining bytes', [0x18, 0x80, 0x80, 0x80, 0x80, 0x08, 65], 'truncated'],
    ['a list of four billion structures', [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0], 'truncated'],
    ['an integer of more than ten bytes', [0x15, ...Array<number>(11).fill(0xff)], 'longer than ten bytes'],
    ['a length of more than five bytes', [0x18, ...Array<number>(6).fill(0xff)], 'longer than five bytes'],
    ['an unknown type', [0x1d], 'unknown type 13'],
    ['a thousand nested structures', Array<number>(1000).fill(0x1c), 'nested too deeply'],
  ])('rejects %s', (_, bytes, message) => {
    expect(() => skipStruct(bytes)).toThrow(message);
  });
});
