import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromJson, toJson } from '../../src/journal/bigintJson.ts';
import { CorruptionError } from '../../src/journal/format.ts';

it.each<[unknown, string]>([
  [null, 'null'],
  [{ at: 1_767_225_600_123_456_789n }, '{"at":{"$bigint":"1767225600123456789"}}'],
  [[-1n, { list: [0n] }], '[{"$bigint":"-1"},{"list":[{"$bigint":"0"}]}]'],
])('round-trips %o', (value, text) => {
  expect(toJson(value)).toBe(text);
  expect(fromJson(text)).toEqual(value);
});

it('round-trips any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(fromJson(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('round-trips a key called __proto__', () => {
  const value = fromJson('{"__proto__":{"a":1}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
});

it.each([
  '{"$bigint":"12a"}',
  '{"$bigint":12}',
  '{"$bigint":"1","and":2}',
  `{"$bigint":"${'9'.repeat(41)}"}`,
])('leaves %s unchanged', text => {
  expect(JSON.stringify(fromJson(text))).toBe(text);
});

it.each(['', '{', 'NaN', '[1,]', `${'['.repeat(1_000_000)}`, `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'rejects invalid or too deeply nested JSON',
  text => {
    expect(() => fromJson(text)).toThrow(CorruptionError);
  },
);

it.each([undefined, () => 1, Symbol('s')])('cannot serialize %s', value => {
  expect(() => toJson(value)).toThrow('as JSON');
});
