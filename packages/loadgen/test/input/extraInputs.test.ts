import { expect, test } from 'vitest';
import { parseExtraInputs } from '../../src/input/extraInputs.ts';

test.each([
  [
    ['temperature:0.5', 'ignore_eos:true', 'user:me', 'stop:["a"]', 'a:b:c'],
    { temperature: 0.5, ignore_eos: true, user: 'me', stop: ['a'], a: 'b:c' },
  ],
  [['{"a": {"b": 1}, "c": null}', 'd:2'], { a: { b: 1 }, c: null, d: 2 }],
  [['empty:'], { empty: '' }],
  [['temperature:0.5,top_p:.9, user: me'], { temperature: 0.5, top_p: 0.9, user: 'me' }],
  [['a:True', 'b:FALSE', 'c:None', 'd:-5.', 'e:1e-3'], { a: true, b: false, c: null, d: -5, e: 0.001 }],
  [['stop:a,b', 'seed:1'], { stop: 'a,b', seed: 1 }],
  [
    ['options:{"a": 1, "b": 2},n:1', 'payload_template:{"x": {{ text|tojson }}, "y": 1}'],
    { options: { a: 1, b: 2 }, n: 1, payload_template: '{"x": {{ text|tojson }}, "y": 1}' },
  ],
  [['text:"a, b:c"'], { text: 'a, b:c' }],
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
  ['["a"]', '"[\\"a\\"]": expected pairs of names and values'],
  ['{"a": ', '"{\\"a\\": ": not valid JSON ('],
])('rejects %j', (args, message) => {
  expect(() => parseExtraInputs([args])).toThrow(message);
});

test('uses the last of several values of a field', () => {
  expect(parseExtraInputs(['{"a": 1, "b": 1}', 'a:2'])).toEqual({ a: 2, b: 1 });
});

test('accepts pairs of names and values', () => {
  expect(parseExtraInputs(['[["a", 0.5], ["b", {"c": 1}]]'])).toEqual({ a: 0.5, b: { c: 1 } });
});
