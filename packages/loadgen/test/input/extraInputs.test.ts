import { expect, test } from 'vitest';
import { parseExtraInputs } from '../../src/input/extraInputs.ts';

test.each([
  [
    ['temperature:0.5', 'ignore_eos:true', 'user:me', 'stop:["a"]', 'a:b:c'],
    { temperature: 0.5, ignore_eos: true, user: 'me', stop: ['a'], a: 'b:c' },
  ],
  [['{"a": {"b": 1}, "c": null}', 'a:2'], { a: 2, c: null }],
  [['empty:'], { empty: '' }],
  [[], {}],
])('parses %j', (given, fields) => {
  expect(parseExtraInputs(given)).toEqual(fields);
});

test('treats __proto__ as an ordinary name', () => {
  expect(JSON.stringify(parseExtraInputs(['__proto__:1']))).toBe('{"__proto__":1}');
});

test.each([
  ['word', '"word" is neither name:value nor a JSON object'],
  [':x', '":x" is neither name:value nor a JSON object'],
  ['{"a": ', '"{\\"a\\": " is not a valid JSON object: '],
])('rejects %j', (given, message) => {
  expect(() => parseExtraInputs([given])).toThrow(message);
});
