import { expect, it } from 'vitest';
import { findSpan } from '../../src/rules/counter.ts';

const slice = (start: number, total: number) => ({
  start_ns: BigInt(start) * 1_000_000_000n,
  end_ns: BigInt(start + 1) * 1_000_000_000n,
  total,
});

it.each([
  ['no slices', [], { atLeast: 0, atMost: 60 }],
  ['one active slice', [slice(0, 5)], { atLeast: 0, atMost: 60 }],
  ['two active slices', [slice(0, 5), slice(1, 0), slice(9, 2)], { atLeast: 8, atMost: 60 }],
  [
    'inactive slices at the ends',
    [slice(0, 0), slice(3, 1), slice(5, 1), slice(9, 0)],
    { atLeast: 1, atMost: 60 },
  ],
])('returns the bounds for %s', (_, timeslices, expected) => {
  expect(findSpan({ timeslices }, 'total', 60)).toEqual(expected);
});

it('has no upper bound if the time of scraping is unknown', () => {
  expect(findSpan({}, 'total', undefined)).toEqual({ atLeast: 0, atMost: Number.POSITIVE_INFINITY });
});
