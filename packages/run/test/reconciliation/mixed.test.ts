import { expect, test } from 'vitest';
import { mixedEndpoints } from '../../src/reconciliation/mixed.ts';

test.each([
  [[], {}, [], []],
  [['a'], {}, ['a'], []],
  [[], { a: 2, b: 3 }, [], ['b']],
  [['b'], { b: 9, c: 3 }, ['b'], ['c']],
])('several addresses %j, resets %j', (addresses, resets, byAddress, byCounters) => {
  expect(mixedEndpoints(addresses, new Map(Object.entries(resets)))).toEqual({
    byAddress,
    byCounters,
    all: [...byAddress, ...byCounters],
  });
});
