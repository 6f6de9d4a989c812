import { expect, test } from 'vitest';
import { detectMixedReplicas } from '../../src/reconciliation/reconciledCounts.ts';

test.each([
  [[], {}, [], []],
  [['a'], {}, ['a'], []],
  [[], { a: 2, b: 3 }, [], ['b']],
  [['b'], { b: 9, c: 3 }, ['b'], ['c']],
])(
  'detects mixed replicas from endpoints with several addresses %j and counter resets %j',
  (addresses, resets, byAddress, byCounters) => {
    expect(detectMixedReplicas(addresses, new Map(Object.entries(resets)))).toEqual({
      byAddress,
      byCounters,
      urls: [...byAddress, ...byCounters],
    });
  },
);
