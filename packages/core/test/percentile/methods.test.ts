import { describe, expect, it } from 'vitest';
import { PERCENTILE_METHODS } from '../../src/percentile/methods.ts';
import { PERCENTS } from '../../src/percentile/percents.ts';
import { FAMILIES, simulate } from './support/simulation.ts';

const { window } = simulate(FAMILIES.triangle!, ['0.5', '1', '1.5', '+Inf'], 60, 5, 1);

describe.each(Object.entries(PERCENTILE_METHODS))('%s', (_, estimator) => {
  it('returns nine ascending percentiles and does not modify the window', () => {
    const before = structuredClone(window);
    const estimates = estimator(window);
    expect(Object.keys(estimates ?? {})).toEqual(PERCENTS.map(percent => `p${percent}`));
    const values = Object.values(estimates ?? {});
    expect(values.every((value, at) => at === 0 || value >= values[at - 1]!)).toBe(true);
    expect(window).toEqual(before);
  });
});
