import { describe, expect, it } from 'vitest';
import { Pool } from '../../../src/percentile/moments/pool.ts';

describe('Pool', () => {
  it('spreads the observations of a span evenly', () => {
    const pool = new Pool();
    pool.add(2, 4, 4);
    expect([0, 1, 2, 3].map(index => pool.orderStatistic(index))).toEqual([2.25, 2.75, 3.25, 3.75]);
  });

  it('sorts spans and points', () => {
    const pool = new Pool();
    pool.add(5, 5, 2);
    pool.add(1, 2, 1);
    pool.add(3, 3, 1);
    pool.add(4, 4, 0);
    expect([0, 1, 2, 3].map(index => pool.orderStatistic(index))).toEqual([1.5, 3, 5, 5]);
  });
});
