import { expect, test } from 'vitest';
import { lowerPriority } from '../../src/watch/lowPriority.ts';

test.each([
  ['lowers a normal priority', 0, [10]],
  ['lowers a high priority', -5, [10]],
  ['keeps a priority that is low enough', 10, []],
  ['keeps a lower priority, which few users may raise', 19, []],
])('%s', (_, priority, expected) => {
  const set: number[] = [];
  lowerPriority({ getPriority: () => priority, setPriority: (value: number) => void set.push(value) });
  expect(set).toEqual(expected);
});
