import { expect, it } from 'vitest';
import { orderLabels } from '../../src/csv/labelOrder.ts';

it.each([
  ['no labels', [[], []], []],
  [
    'one family, shared labels last',
    [
      ['model', 'reason'],
      ['engine', 'model'],
    ],
    ['engine', 'reason', 'model'],
  ],
  [
    'two families, by their smallest label',
    [
      ['z', 'y'],
      ['b', 'c'],
      ['c', 'y2'],
      ['z', 'a'],
    ],
    ['a', 'y', 'z', 'b', 'y2', 'c'],
  ],
  [
    'all shared',
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
    ['a', 'b'],
  ],
  ['odd names', [['__proto__', 'constructor']], ['__proto__', 'constructor']],
])('%s', (_, sets, order) => {
  expect(orderLabels(sets)).toEqual(order);
});
