import { expect, test } from 'vitest';
import { formatText, toJson, type Value } from '../../src/query/queryResult.ts';

test.each<[Value, string, string]>([
  [null, 'null', ''],
  [true, 'true', 'true'],
  [0.5, '0.5', '0.5'],
  [9007199254740993n, '9007199254740993', '9007199254740993'],
  [Number.POSITIVE_INFINITY, 'null', 'Infinity'],
  ['a"b', '"a\\"b"', 'a"b'],
  [[1n, [null, 'x']], '[1,[null,"x"]]', '[1,[null,"x"]]'],
  [{ le: 1, n: 2n }, '{"le":1,"n":2}', '{"le":1,"n":2}'],
])('converts %s', (value, json, text) => {
  expect(toJson(value)).toBe(json);
  expect(formatText(value)).toBe(text);
});
