import { expect, test } from 'vitest';
import {
  PIECE_OUTPUT,
  PIECE_OUTPUT_SAME_CHUNK,
  PIECE_REASONING,
  ResponseContent,
} from '../../src/response/responseContent.ts';

test('keeps times, kinds and texts of many pieces', () => {
  const content = new ResponseContent();
  for (let i = 0; i < 100; i++) content.push(i, i < 40 ? PIECE_REASONING : PIECE_OUTPUT, `${i},`);
  expect(content.pieces).toBe(100);
  expect([content.firstNs, content.firstOutputNs, content.lastNs]).toEqual([0, 40, 99]);
  expect(content.times).toHaveLength(100);
  expect(content.join(PIECE_REASONING).split(',')).toHaveLength(41);
  expect(content.join(PIECE_OUTPUT).startsWith('40,41,')).toBe(true);
  expect(content.hasReasoning).toBe(true);
});

test('limits the text kept from an endless stream, but counts all pieces', () => {
  const content = new ResponseContent();
  const longText = 'x'.repeat(1 << 22);
  for (let i = 0; i < 10; i++) content.push(i, PIECE_OUTPUT, longText);
  expect(content.pieces).toBe(10);
  expect(content.lastNs).toBe(9);
  expect(content.texts).toHaveLength(4);
  expect(content.times).toHaveLength(4);
});

test('treats output that shares a chunk with reasoning as output', () => {
  const content = new ResponseContent();
  content.push(1, PIECE_REASONING, 'a');
  content.push(2, PIECE_REASONING, 'b');
  content.push(2, PIECE_OUTPUT_SAME_CHUNK, 'c');
  content.push(3, PIECE_OUTPUT, 'd');
  expect(content.firstOutputNs).toBe(2);
  expect([content.join(PIECE_REASONING), content.join(PIECE_OUTPUT)]).toEqual(['ab', 'cd']);
  expect([...content.kinds]).toEqual([
    PIECE_REASONING,
    PIECE_REASONING,
    PIECE_OUTPUT_SAME_CHUNK,
    PIECE_OUTPUT,
  ]);
});
