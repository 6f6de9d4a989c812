import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePlainTexts, TextDictionary, WordDictionary } from '../../../src/parquet/write/dictionary.ts';

test('a text dictionary assigns codes in order of first occurrence', () => {
  const dictionary = new TextDictionary();
  expect(['b', 'a', 'b', '__proto__', ''].map(text => dictionary.getCode(text))).toEqual([0, 1, 0, 2, 3]);
  expect(dictionary.encodeAll().map(String)).toEqual(['b', 'a', '__proto__', '']);
  dictionary.clear();
  expect(dictionary.size).toBe(0);
});

test('PLAIN strings are preceded by their length in bytes', () => {
  expect([...encodePlainTexts([Buffer.from('ä'), Buffer.from('')])]).toEqual([
    2, 0, 0, 0, 0xc3, 0xa4, 0, 0, 0, 0,
  ]);
});

test('a word dictionary distinguishes 64-bit values by their bits', () => {
  const dictionary = new WordDictionary();
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 300 }),
      values => {
        dictionary.clear();
        const codes = new Map<bigint, number>();
        const words = new Int32Array(BigInt64Array.from(values).buffer);
        values.forEach((value, i) => {
          const code = dictionary.getCode(words[2 * i]!, words[2 * i + 1]!);
          if (!codes.has(value)) codes.set(value, codes.size);
          expect(code).toBe(codes.get(value));
        });
        const storedWords = dictionary.getWords().slice();
        expect(Array.from(new BigInt64Array(storedWords.buffer))).toEqual([...codes.keys()]);
      },
    ),
    { numRuns: 50 },
  );
});

test('a word dictionary grows and distinguishes 0 and -0', () => {
  const dictionary = new WordDictionary();
  const words = new Int32Array(
    Float64Array.from({ length: 20_001 }, (_, i) => (i === 20_000 ? -0 : i)).buffer,
  );
  for (const round of [0, 1]) {
    for (let i = 0; i <= 20_000; i++) {
      if (dictionary.getCode(words[2 * i]!, words[2 * i + 1]!) !== i)
        throw new Error(`value ${i}, round ${round}`);
    }
  }
  expect(dictionary.size).toBe(20_001);
});
