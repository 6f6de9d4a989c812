import { expect, it } from 'vitest';
import {
  asArray,
  asObject,
  findRepeated,
  getField,
  getNanoseconds,
  getNumber,
  listNumbers,
  listObjectItems,
  listObjects,
} from '../../src/rules/values.ts';

it.each([
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['text', false],
  [undefined, false],
])('asObject accepts only objects: %j', (value, accepted) => {
  expect(asObject(value) !== undefined).toBe(accepted);
});

it('asArray returns an empty array for other values', () => {
  expect(asArray([1])).toEqual([1]);
  expect(asArray({ length: 1 })).toEqual([]);
});

it('getField ignores inherited properties', () => {
  expect(getField({ constructor: 1 } as never, 'constructor')).toBe(1);
  expect(getField({}, 'constructor')).toBeUndefined();
});

it.each([
  [1.5, 1.5],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['1', undefined],
  [1n, undefined],
])('getNumber of %o is %o', (value, expected) => {
  expect(getNumber({ key: value }, 'key')).toBe(expected);
});

it.each([
  [5n, 5n],
  [5, 5n],
  [5.5, undefined],
  ['5', undefined],
])('getNanoseconds of %o is %o', (value, expected) => {
  expect(getNanoseconds({ key: value }, 'key')).toBe(expected);
});

it('listObjects and listObjectItems return objects with their paths, and skip other values', () => {
  expect(listObjects({ a: { x: 1 }, b: 2, c: [] }, ['root'])).toEqual([['a', { x: 1 }, ['root', 'a']]]);
  expect(listObjects(undefined, [])).toEqual([]);
  expect(listObjectItems({ items: [1, { x: 1 }] }, 'items', ['root'])).toEqual([
    [{ x: 1 }, ['root', 'items', 1]],
  ]);
});

it.each([
  [['a', 'b', 'a', 'b'], 2],
  [['a', 'b'], -1],
  [[undefined, undefined], -1],
])('findRepeated(%j) is %i', (texts, index) => {
  expect(findRepeated(texts)).toBe(index);
});

it('listNumbers keeps the order of the keys', () => {
  expect(listNumbers({ b: 2, a: 1, c: 'x' }, ['a', 'b', 'c', 'd'])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
