import { expect, it } from 'vitest';
import {
  any,
  array,
  choice,
  exact,
  findMemberShape,
  float,
  map,
  numericMap,
  object,
  resolveShape,
} from '../../src/schema/shape.ts';

const block = object([['avg', float]]);
const document = object([['version', any]], { shape: block, having: ['unit', 'avg'], after: 'version' });

it.each([
  ['a known field', document, 'version', '1.0', any],
  ['a member that has one of the fields', document, 'latency', { avg: 1 }, block],
  ['an unknown member', document, 'extra', { x: 1 }, undefined],
  ['a member that is not an object', document, 'extra', 5, undefined],
  ['a value of a map', map(float), 'anything', 1, float],
  ['a bucket', numericMap(any), '0.5', 1, any],
  ['a member of user-defined data', exact, 'seed', 1n, exact],
])('findMemberShape looks up the shape of %s', (_, shape, key, value, expected) => {
  expect(findMemberShape(shape, key, value)).toBe(expected);
});

it('resolveShape selects a choice by the value of its field', () => {
  const counter = object([['total', float]]);
  const metric = choice('type', [['counter', counter]]);
  expect(resolveShape(metric, { type: 'counter' })).toBe(counter);
  expect(resolveShape(metric, { type: 'other' })).toBe(any);
  expect(resolveShape(metric, {})).toBe(any);
  expect(resolveShape(array(counter), [])).toEqual(array(counter));
});
