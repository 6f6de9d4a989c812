import { expect, it } from 'vitest';
import { describeToken, JsonSyntaxError, locateOffset } from '../../src/json/syntaxError.ts';

it.each([
  [0, { line: 1, column: 1 }],
  [2, { line: 1, column: 3 }],
  [3, { line: 2, column: 1 }],
  [5, { line: 3, column: 1 }],
])('locateOffset(%i) is %j', (offset, position) => {
  expect(locateOffset('ab\nc\nd', offset)).toEqual(position);
});

it.each([
  ['x', 'unexpected "x"'],
  ['', 'unexpected end of input'],
  ['NaN]', 'NaN is not valid JSON'],
  ['-Infinity', '-Infinity is not valid JSON'],
  ['😀', 'unexpected "😀"'],
])('describeToken(%j) is %j', (text, description) => {
  expect(describeToken(text, 0)).toBe(description);
});

it('states the position in the message', () => {
  expect(new JsonSyntaxError('number with a leading zero', '[\n 01]', 3)).toMatchObject({
    line: 2,
    column: 2,
    message: 'cannot parse JSON: number with a leading zero (line 2, column 2)',
  });
});
