import { expect, test } from 'vitest';
import {
  AnswerText,
  PIECE_OUTPUT,
  PIECE_OUTPUT_TOO,
  PIECE_REASONING,
} from '../../src/response/responseContent.ts';

test('keeps times, kinds and texts, and grows', () => {
  const text = new AnswerText();
  for (let i = 0; i < 100; i++) text.push(i, i < 40 ? PIECE_REASONING : PIECE_OUTPUT, `${i},`);
  expect(text.pieces).toBe(100);
  expect([text.firstNs, text.firstOutputNs, text.lastNs]).toEqual([0, 40, 99]);
  expect(text.times).toHaveLength(100);
  expect(text.joined(PIECE_REASONING).split(',')).toHaveLength(41);
  expect(text.joined(PIECE_OUTPUT).startsWith('40,41,')).toBe(true);
  expect(text.hasReasoning).toBe(true);
});

test('a stream without an end does not fill the memory, and is counted', () => {
  const text = new AnswerText();
  const much = 'x'.repeat(1 << 22);
  for (let i = 0; i < 10; i++) text.push(i, PIECE_OUTPUT, much);
  expect(text.pieces).toBe(10);
  expect(text.lastNs).toBe(9);
  expect(text.texts).toHaveLength(4);
  expect(text.times).toHaveLength(4);
});

test('output of the same chunk as reasoning is output', () => {
  const text = new AnswerText();
  text.push(1, PIECE_REASONING, 'a');
  text.push(2, PIECE_REASONING, 'b');
  text.push(2, PIECE_OUTPUT_TOO, 'c');
  text.push(3, PIECE_OUTPUT, 'd');
  expect(text.firstOutputNs).toBe(2);
  expect([text.joined(PIECE_REASONING), text.joined(PIECE_OUTPUT)]).toEqual(['ab', 'cd']);
  expect([...text.kinds]).toEqual([PIECE_REASONING, PIECE_REASONING, PIECE_OUTPUT_TOO, PIECE_OUTPUT]);
});
