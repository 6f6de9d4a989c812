import { expect, test } from 'vitest';
import { detectMixedReplicas } from '../../src/reconciliation/reconciledCounts.ts';

test.each([
  [[], {}, [], []],
  [['a'], {}, ['a'], []],
  [[], { a: 2, b: 3 }, [], ['b']],
  [['b'], { b: 9, c: 3 }, ['b'], ['c']],
])(
  'detects mixed replicas if endpoints %j have several addresses and %j are the counter resets',
  (addresses, resets, byAddress, byCounters) => {
    expect(detectMixedReplicas(addresses, new Map(Object.entries(resets)))).toEqual({
      byAddress,
      byCounters,
      all: [...byAddress, ...byCounters],
    });
  },
);
