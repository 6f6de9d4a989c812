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
])('%j', (given, fields) => {
  expect(parseExtraInputs(given)).toEqual(fields);
});

test('a dangerous name is a name like any other', () => {
  expect(JSON.stringify(parseExtraInputs(['__proto__:1']))).toBe('{"__proto__":1}');
});

test.each(['word', ':x', '{"a": '])('refuses %j', given => {
  expect(() => parseExtraInputs([given])).toThrow(/extra input/);
});
