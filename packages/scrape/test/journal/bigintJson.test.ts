import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromJson, toJson } from '../../src/journal/bigintJson.ts';
import { CorruptionError } from '../../src/journal/errors.ts';

it.each<[unknown, string]>([
  [null, 'null'],
  [{ at: 1_767_225_600_123_456_789n }, '{"at":{"$bigint":"1767225600123456789"}}'],
  [[-1n, { list: [0n] }], '[{"$bigint":"-1"},{"list":[{"$bigint":"0"}]}]'],
])('%o is written so that it comes back', (value, text) => {
  expect(toJson(value)).toBe(text);
  expect(fromJson(text)).toEqual(value);
});

it('all JSON comes back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(fromJson(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('a key that is called __proto__ comes back as a key', () => {
  const value = fromJson('{"__proto__":{"a":1}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
});

it.each([
  '{"$bigint":"12a"}',
  '{"$bigint":12}',
  '{"$bigint":"1","and":2}',
  `{"$bigint":"${'9'.repeat(41)}"}`,
])('%s stays what it is', text => {
  expect(JSON.stringify(fromJson(text))).toBe(text);
});

it.each(['', '{', 'NaN', '[1,]', `${'['.repeat(1_000_000)}`, `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'what is no JSON, or too deep, is damage',
  text => {
    expect(() => fromJson(text)).toThrow(CorruptionError);
  },
);

it.each([undefined, () => 1, Symbol('s')])('%s cannot be written', value => {
  expect(() => toJson(value)).toThrow('as JSON');
});
