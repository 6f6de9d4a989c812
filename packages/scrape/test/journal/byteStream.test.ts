import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/journal/byteStream.ts';
import { CorruptionError } from '../../src/journal/format.ts';

function encode(write: (out: ByteWriter) => void): Uint8Array {
  const out = new ByteWriter();
  write(out);
  return out.bytes.slice(0, out.length);
}

describe('numbers', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [16_384, '808001'],
    [2 ** 32, '8080808010'],
    [2 ** 53 - 1, 'ffffffffffffff0f'],
  ])('the varint of %d is %s', (value, hex) => {
    const bytes = encode(out => out.writeVarint(value));
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(new ByteReader(bytes).readVarint()).toBe(value);
  });

  it.each([
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [-64, '7f'],
    [2 ** 52 - 1, 'feffffffffffff0f'],
    [-(2 ** 52) + 1, 'fdffffffffffff0f'],
  ])('the zigzag of %d is %s', (value, hex) => {
    const bytes = encode(out => out.writeZigzag(value));
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(new ByteReader(bytes).readZigzag()).toBe(value);
  });

  it('are read back', () => {
    const bound = 2 ** 52 - 1;
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.maxSafeNat(),
            fc.maxSafeInteger().map(n => n % bound),
            fc.double(),
            fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          ),
        ),
        rows => {
          const reader = new ByteReader(
            encode(out => {
              for (const [nat, integer, double, int64] of rows) {
                out.writeVarint(nat);
                out.writeZigzag(integer);
                out.writeDouble(double);
                out.writeInt64(int64);
              }
            }),
          );
          for (const [nat, integer, double, int64] of rows) {
            expect(reader.readVarint()).toBe(nat);
            expect(reader.readZigzag()).toBe(integer === 0 ? 0 : integer);
            expect(reader.readDouble()).toBe(double);
            expect(reader.readInt64()).toBe(int64);
          }
          expect(reader.remainingBytes).toBe(0);
        },
      ),
    );
  });

  it('beyond 64 bits are rejected', () => {
    expect(() => encode(out => out.writeInt64(2n ** 63n))).toThrow(
      'cannot write 9223372036854775808 into 64 bits',
    );
  });
});

describe('texts', () => {
  it.each([
    '',
    'a',
    'é',
    '模型',
    '🦙',
    '\0',
    '\ufeffbom',
    '\ud800',
    'a\udc00b',
    '__proto__',
    'x'.repeat(5000),
  ])('round-trips %j', text => {
    expect(new ByteReader(encode(out => out.writeText(text))).readText()).toBe(text);
  });

  it('with any characters are read back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), texts => {
        const reader = new ByteReader(encode(out => texts.forEach(text => void out.writeText(text))));
        expect(texts.map(() => reader.readText())).toEqual(texts);
      }),
    );
  });
});

describe('corrupted bytes', () => {
  it.each<[string, (reader: ByteReader) => unknown, number[]]>([
    ['a missing byte', reader => reader.readByte(), []],
    ['a truncated varint', reader => reader.readVarint(), [0x80]],
    ['a varint of 2^53', reader => reader.readVarint(), [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]],
    ['an endless varint', reader => reader.readVarint(), Array(20).fill(0x80)],
    ['a truncated double', reader => reader.readDouble(), [1, 2, 3, 4, 5, 6, 7]],
    ['a truncated int64', reader => reader.readInt64(), [1]],
    ['a text longer than the remaining bytes', reader => reader.readText(), [6, 0x61, 0x61]],
    ['a text of 4 PB', reader => reader.readText(), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])('are rejected: %s', (_, read, bytes) => {
    expect(() => read(new ByteReader(Uint8Array.from(bytes)))).toThrow(CorruptionError);
  });
});
