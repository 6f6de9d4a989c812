import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/journal/byteStream.ts';
import { readDouble, writeDouble } from '../../src/journal/doubleCodec.ts';
import { CorruptionError } from '../../src/journal/format.ts';
import { TOKEN } from '../../src/journal/frameTokens.ts';
import { anyValue } from './support/values.ts';

function encode(value: number, previous: number): Uint8Array {
  const out = new ByteWriter();
  writeDouble(out, value, previous);
  return out.bytes.slice(0, out.length);
}

function decode(bytes: Uint8Array, previous: number): number {
  const reader = new ByteReader(bytes);
  const value = readDouble(reader, reader.readByte(), previous);
  expect(reader.remainingBytes).toBe(0);
  return value;
}

test.each<[string, number, number, string]>([
  ['a decimal as the difference of its digits', 1.5, 1.25, 'f904'],
  ['a decimal after an absent value', 0.25, Number.NaN, 'fa32'],
  ['a negative decimal', -0.5, 0.5, 'f913'],
  ['-0 by its bits', -0, 0, 'c70000000000000080'],
  ['the changed low bytes of a fraction', 1 / 3 + 2 ** -54, 1 / 3, 'c003'],
])('encodes %s', (_, value, previous, hex) => {
  const bytes = encode(value, previous);
  expect(Buffer.from(bytes).toString('hex')).toBe(hex);
  expect(decode(bytes, previous)).toBe(value);
});

test('round-trips any value after any other value, in at most nine bytes', () => {
  const anyPresentValue = anyValue.filter(value => !Number.isNaN(value));
  fc.assert(
    fc.property(anyPresentValue, anyValue, (value, previous) => {
      fc.pre(!Object.is(value, previous)); // equal values are encoded as unchanged slots
      const bytes = encode(value, previous);
      expect(bytes.length).toBeLessThanOrEqual(9);
      expect(decode(bytes, previous)).toBe(value);
    }),
    { numRuns: 2000 },
  );
});

test('rejects a token for more than eight bytes', () => {
  const token = TOKEN.bits | (4 << 3) | 4; // five new bytes and four unchanged ones
  expect(() => readDouble(new ByteReader(new Uint8Array(8)), token, 0)).toThrow(CorruptionError);
});
