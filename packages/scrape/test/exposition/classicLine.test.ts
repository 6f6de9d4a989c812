import { describe, expect, test } from 'vitest';
import { readClassicLine, splitComment } from '../../src/exposition/classicLine.ts';

describe('readClassicLine', () => {
  test.each([
    ['a 1', 'a', [], 1, undefined],
    ['a\t1\t2000', 'a', [], 1, 2],
    ['a   1   2000', 'a', [], 1, 2],
    ['a {x="1"}  2', 'a', [['x', '1']], 2, undefined],
    ['a{ x = "1" , } 2 -1500', 'a', [['x', '1']], 2, -1.5],
    ['{"a b",x="}"} 3', 'a b', [['x', '}']], 3, undefined],
    ['a 1 # {x="1"} 5 7000', 'a', [], 1, 7],
  ])('reads %j', (text, name, labels, value, timestamp) => {
    expect(readClassicLine(text, 99)).toEqual({
      name,
      labels,
      value,
      ...(timestamp !== undefined && { timestamp }),
      valueStart: -1,
      lineEnd: 99,
    });
  });

  test.each([
    ['a', 'expected a metric name, a space and a value'],
    ['1a 1', 'expected a metric name, a space and a value'],
    ['a.b{x="1"} 1', 'not a metric name: a.b'],
    ['a{x="1" 1', 'the closing } of the labels is missing'],
    ['a{x="1"}', 'expected a number, got nothing'],
    ['a one', 'expected a number, got one'],
    ['a 1 soon', 'expected a timestamp in milliseconds, got soon'],
  ])('rejects %j: %s', (text, reason) => {
    expect(() => readClassicLine(text, 0)).toThrow(expect.objectContaining({ message: reason }));
  });
});

test.each([
  ['# TYPE a counter', ['#', 'TYPE', 'a', 'counter']],
  ['#\tHELP  a  two  words', ['#', 'HELP', 'a', 'two  words']],
  ['# HELP "a b" text', ['#', 'HELP', '"a b"', 'text']],
  ['# HELP a', ['#', 'HELP', 'a']],
  ['#', ['#']],
])('splits the comment %j', (text, words) => {
  expect(splitComment(text)).toEqual(words);
});
