import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { drawFromRange, parseRangeRatio, type RangeStyle } from '../../src/input/uniformRange.ts';

const MEANS = { input: 50, output: 9 };

test.each([
  ['0.3', 'vllm', [35, 65], [6, 12]],
  ['0', 'vllm', [50, 50], [9, 9]],
  ['{"input": 0.1, "output": 0.5}', 'vllm', [45, 56], [4, 14]],
  ['0.99', 'vllm', [1, 100], [1, 18]],
  ['0.3', 'sglang', [15, 50], [2, 9]],
  ['1', 'sglang', [50, 50], [9, 9]],
] as const)('the ratio %s of the style %s is the ranges %j and %j', (text, style, input, output) => {
  expect(parseRangeRatio(text, MEANS, style)).toEqual({
    input: { min: input[0], max: input[1] },
    output: { min: output[0], max: output[1] },
  });
});

test.each([
  ['1', 'vllm', 'expected a number from 0 to less than 1, or {"input": RATIO, "output": RATIO}'],
  ['', 'vllm', 'expected a number from 0 to less than 1'],
  ['-0.1', 'vllm', 'expected a number from 0 to less than 1'],
  ['{"input": 0.1}', 'vllm', 'expected a number from 0 to less than 1'],
  ['{', 'vllm', 'the ratios are not valid JSON'],
  ['1.1', 'sglang', 'expected a number from 0 to 1'],
  ['{"input": 0.1, "output": 0.1}', 'sglang', 'expected one number with the style sglang'],
])('rejects the ratio %s of the style %s', (text, style, message) => {
  expect(() => parseRangeRatio(text, MEANS, style as RangeStyle)).toThrow(message);
});

test('draws all integers of a range equally often', () => {
  const random = new Random(1);
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 3_000; draw++) {
    const value = drawFromRange({ min: 4, max: 6 }, random);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([4, 5, 6]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
