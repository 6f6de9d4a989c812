import { expect, it } from 'vitest';
import { orderLabels } from '../../src/csv/labelOrder.ts';

it.each([
  ['no labels', [[], []], []],
  [
    'one group, with the label of several series last',
    [
      ['model', 'reason'],
      ['engine', 'model'],
    ],
    ['engine', 'reason', 'model'],
  ],
  [
    'two groups, by their first label',
    [
      ['z', 'y'],
      ['b', 'c'],
      ['c', 'y2'],
      ['z', 'a'],
    ],
    ['a', 'y', 'z', 'b', 'y2', 'c'],
  ],
  [
    'labels that all series have',
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
    ['a', 'b'],
  ],
  ['names of object properties', [['__proto__', 'constructor']], ['__proto__', 'constructor']],
])('orders %s', (_, labelSets, order) => {
  expect(orderLabels(labelSets)).toEqual(order);
});
