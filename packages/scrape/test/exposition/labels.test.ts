import { describe, expect, test } from 'vitest';
import { findOutsideQuotes, readTerms, unquote } from '../../src/exposition/labels.ts';

test.each([
  ['a{b', '{', 1],
  ['"{"{', '{', 3],
  ['"\\"{"{', '{', 5],
  ['a b{', '{ ', 1],
  ['"', '{', -1],
  ['', '{', -1],
])('findOutsideQuotes(%j, %j) is %i', (text, searched, index) => {
  expect(findOutsideQuotes(text, searched)).toBe(index);
});

test.each([
  ['""', ''],
  ['"a\\"b"', 'a"b'],
  ['"a\\\\"', 'a\\'],
  ['"', undefined],
  ['"a', undefined],
  ['"a\\"', undefined],
  ['"a"b"', undefined],
  ['a"', undefined],
])('unquote(%j) is %j', (text, value) => {
  expect(unquote(text)).toBe(value);
});

describe('readTerms', () => {
  test.each<[string, string, [string, string][]]>([
    ['a', '', []],
    ['a', ' ', []],
    ['a', 'x="1"', [['x', '1']]],
    [
      'a',
      ' x = "1" , "y z"="2"',
      [
        ['x', '1'],
        ['y z', '2'],
      ],
    ],
    ['', '"a"', []],
    ['', 'x="1","a"', [['x', '1']]],
    ['a', '"__proto__"="1"', [['__proto__', '1']]],
  ])('reads %j{%s}', (name, inside, labels) => {
    for (const openMetrics of [false, true]) {
      expect(readTerms(name, inside, openMetrics)).toEqual({ name: 'a', labels });
    }
  });

  test.each([
    ['x="1",', 'trailing comma in the labels'],
    [',x="1"', 'leading comma in the labels'],
    [',', 'leading comma in the labels'],
    ['x:y="1"', 'not a label name: x:y'],
  ])('accepts %s only in the classic format', (inside, reason) => {
    expect(readTerms('a', inside, false).name).toBe('a');
    expect(() => readTerms('a', inside, true)).toThrow(reason);
  });

  test.each([
    ['a', 'x="1",,y="2"', 'two commas in a row'],
    ['a', 'x="1"y="2"', 'label x needs a value in double quotes'],
    ['a', 'x=1', 'label x needs a value in double quotes'],
    ['a', "x='1'", 'label x needs a value in double quotes'],
    ['a', 'x', 'expected label="value", got x'],
    ['a', '1="1"', 'not a label name: 1'],
    ['a', '""="1"', 'a label name is empty'],
    ['a', 'x="1","x"="2"', 'label x occurs twice'],
    ['a', '"b"', 'the metric name occurs twice'],
    ['a', '__name__="b"', 'the metric name occurs twice'],
    ['', '"a","b"', 'the metric name occurs twice'],
    ['', '""', 'the metric name is empty'],
    ['', 'x="1"', 'the metric name is missing'],
  ])('rejects %j{%s}: %s', (name, inside, reason) => {
    for (const openMetrics of [false, true])
      expect(() => readTerms(name, inside, openMetrics)).toThrow(reason);
  });
});
