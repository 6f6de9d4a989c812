import { expect, test } from 'vitest';
import { renderBar } from '../src/bar.ts';

test.each([
  [0, '░░░░'],
  [0.5, '██░░'],
  [1, '████'],
  [1.2, '████'],
  [-1, '░░░░'],
])('renders the fraction %d', (fraction, bar) => {
  expect(renderBar(fraction, 4)).toBe(bar);
});
