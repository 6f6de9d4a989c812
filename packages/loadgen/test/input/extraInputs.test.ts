import { expect, test } from 'vitest';
import { parseExtraInputs } from '../../src/input/extraInputs.ts';

test.each([
  [
    ['temperature:0.5', 'ignore_eos:true', 'user:me', 'stop:["a"]', 'a:b:c'],
    { temperature: 0.5, ignore_eos: true, user: 'me', stop: ['a'], a: 'b:c' },
  ],
  [['{"a": {"b": 1}, "c": null}', 'd:2'], { a: { b: 1 }, c: null, d: 2 }],
  [['empty:'], { empty: '' }],
  [[], {}],
])('parses %j', (args, fields) => {
  expect(parseExtraInputs(args)).toEqual(fields);
});

test('treats __proto__ as an ordinary name', () => {
  expect(JSON.stringify(parseExtraInputs(['__proto__:1']))).toBe('{"__proto__":1}');
});

test.each([
  ['word', '"word": expected NAME:VALUE or a JSON object'],
  [':x', '":x": expected NAME:VALUE or a JSON object'],
  ['{"a": ', '"{\\"a\\": ": not valid JSON ('],
])('rejects %j', (args, message) => {
  expect(() => parseExtraInputs([args])).toThrow(message);
});

test('rejects a field that is set more than once', () => {
  expect(() => parseExtraInputs(['{"a": 1}', 'a:2'])).toThrow('"a:2": a is set more than once');
});
