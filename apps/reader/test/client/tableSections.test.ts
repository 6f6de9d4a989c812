import { expect, test } from 'vitest';
import { createPercentCell } from '../../client/tableSections.ts';

test.each([
  [null, '', null],
  [0.1234, '+12.3%', 0.1234],
  [-0.5, '-50%', 0.5],
  [0, '0%', 0],
])('formats the ratio %j as "%s", and sorts it by its absolute value', (ratio, text, sort) => {
  expect(createPercentCell(ratio)).toEqual({ text, sort });
});
