import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { drawPair, parseLengthMix } from '../../src/input/lengthMix.ts';

const fixed = [
  { input: { mean: 64, stddev: 0 }, output: { mean: 10, stddev: 0 }, percent: 40 },
  { input: { mean: 128, stddev: 0 }, output: { mean: 20, stddev: 0 }, percent: 60 },
];
const varied = [
  { input: { mean: 64, stddev: 5 }, output: { mean: 10, stddev: 0.5 }, percent: 40 },
  { input: { mean: 128, stddev: 0 }, output: { mean: 20, stddev: 2 }, percent: 60 },
];

test.each([
  ['64,10:40;128,20:60', fixed],
  [' 64 , 10:40 ; 128,20:60; ', fixed],
  ['[(64,10):40,(128,20):60]', fixed],
  ['[(64,10):40, (128,20):60]', fixed],
  ['{"pairs":[{"isl":64,"osl":10,"prob":40},{"isl":128,"osl":20,"prob":60}]}', fixed],
  ['64|5,10|.5:40;128,20|2:60', varied],
  [
    '{"pairs":[{"isl":{"mean":9,"median":5},"osl":1,"osl_stddev":2,"prob":100}]}',
    [{ input: { mean: 9, median: 5 }, output: { mean: 1, stddev: 2 }, percent: 100 }],
  ],
  ['[(64|5,10|0.5):40,(128,20|2):60]', varied],
])('parses %j', (text, pairs) => {
  expect(parseLengthMix(text)).toEqual(pairs);
});

test('accepts percentages that are rounded', () => {
  expect(parseLengthMix('1,1:33.33;2,2:33.33;3,3:33.33')).toHaveLength(3);
});

test.each([
  ['', 'no lengths; expected ISL,OSL:PERCENT;...'],
  ['64', 'invalid lengths "64"; expected ISL,OSL:PERCENT'],
  ['64,10:50', 'the percentages add up to 50; expected 100'],
  ['64,10:0.4;128,20:0.6', 'the percentages add up to 1; expected 100'],
  ['-1,10:100', 'invalid lengths "-1,10:100"'],
  ['{bad', 'the lengths are not valid JSON'],
  ['{"pairs":[]}', 'expected JSON with a list "pairs"'],
  ['{"pairs":[null]}', 'invalid lengths null'],
  ['{"pairs":[{"isl":1,"osl":1}]}', 'expected a number prob'],
  ['{"pairs":[{"isl":{"mean":1},"isl_stddev":1,"osl":1,"prob":100}]}', 'expected no standard deviation'],
  ['{"pairs":[{"isl":{"mean":1,"median":2},"osl":1,"prob":100}]}', 'median is 2'],
  ['{"pairs":[{"isl":"1","osl":1,"prob":100}]}', 'expected numbers isl and osl'],
])('rejects %j', (text, message) => {
  expect(() => parseLengthMix(text)).toThrow(message);
});

test('draws pairs with their probabilities', () => {
  const random = new Random(1);
  const draws = Array.from({ length: 10_000 }, () => drawPair(fixed, random));
  const share = draws.filter(pair => pair === fixed[0]).length / draws.length;
  // Five standard deviations.
  expect(Math.abs(share - 0.4)).toBeLessThan(5 * Math.sqrt((0.4 * 0.6) / draws.length));
});
