import { expect, test, vi } from 'vitest';
import { TextGenerator } from '../../src/input/textGenerator.ts';
import { TraceText } from '../../src/input/traceText.ts';

const splitWords = (text: string): string[] => text.split(' ');

test('gives texts with the same hash ids the same start and a unique end', () => {
  const texts = new TraceText({ blockTokens: 4 });
  const [a, b] = [splitWords(texts.generate(10, [1, 2], 'a')), splitWords(texts.generate(10, [1, 2], 'b'))];
  expect([a.length, b.length]).toEqual([10, 10]);
  expect(a.slice(0, 8)).toEqual(b.slice(0, 8));
  expect(a.slice(8)).not.toEqual(b.slice(8));
});

test('truncates the last block to the length of the text', () => {
  const texts = new TraceText({ blockTokens: 4 });
  expect(splitWords(texts.generate(6, [1, 2], 'a'))).toEqual(
    splitWords(texts.generate(8, [1, 2], 'b')).slice(0, 6),
  );
});

test('keeps all blocks until the limit is exceeded', () => {
  const generate = vi.spyOn(TextGenerator.prototype, 'generate');
  const texts = new TraceText({ blockTokens: 1 });
  const ids = Array.from({ length: 16_384 }, (_, id) => id);
  texts.generate(ids.length, ids, 'a');
  texts.generate(ids.length, ids, 'b');
  expect(generate).toHaveBeenCalledTimes(ids.length);
  texts.generate(2, [ids.length, 0], 'c');
  expect(generate).toHaveBeenCalledTimes(ids.length + 2);
  generate.mockRestore();
});

test('rejects an invalid block size', () => {
  expect(() => new TraceText({ blockTokens: 0 })).toThrow(
    'blockTokens is 0; expected an integer of at least 1',
  );
});
