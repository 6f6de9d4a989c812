import { expect, test } from 'vitest';
import {
  PIECE_OUTPUT,
  PIECE_OUTPUT_SAME_CHUNK,
  PIECE_REASONING,
  ResponseContent,
} from '../../src/response/responseContent.ts';

test('keeps times, kinds and texts of many pieces', () => {
  const text = new ResponseContent();
  for (let i = 0; i < 100; i++) text.push(i, i < 40 ? PIECE_REASONING : PIECE_OUTPUT, `${i},`);
  expect(text.pieces).toBe(100);
  expect([text.firstNs, text.firstOutputNs, text.lastNs]).toEqual([0, 40, 99]);
  expect(text.times).toHaveLength(100);
  expect(text.join(PIECE_REASONING).split(',')).toHaveLength(41);
  expect(text.join(PIECE_OUTPUT).startsWith('40,41,')).toBe(true);
  expect(text.hasReasoning).toBe(true);
});

test('limits the kept text of an endless stream, but counts its pieces', () => {
  const text = new ResponseContent();
  const longText = 'x'.repeat(1 << 22);
  for (let i = 0; i < 10; i++) text.push(i, PIECE_OUTPUT, longText);
  expect(text.pieces).toBe(10);
  expect(text.lastNs).toBe(9);
  expect(text.texts).toHaveLength(4);
  expect(text.times).toHaveLength(4);
});

test('treats output from the same chunk as reasoning as output', () => {
  const text = new ResponseContent();
  text.push(1, PIECE_REASONING, 'a');
  text.push(2, PIECE_REASONING, 'b');
  text.push(2, PIECE_OUTPUT_SAME_CHUNK, 'c');
  text.push(3, PIECE_OUTPUT, 'd');
  expect(text.firstOutputNs).toBe(2);
  expect([text.join(PIECE_REASONING), text.join(PIECE_OUTPUT)]).toEqual(['ab', 'cd']);
  expect([...text.kinds]).toEqual([PIECE_REASONING, PIECE_REASONING, PIECE_OUTPUT_SAME_CHUNK, PIECE_OUTPUT]);
});
