import { describe, expect, it } from 'vitest';
import { findBucketEdges } from '../../../src/percentile/bucketEdges.ts';
import { extractIntervals } from '../../../src/percentile/intervals.ts';
import { type Epoch, findEpochs } from '../../../src/percentile/moments/epochs.ts';
import { FAMILIES, type Family, simulate } from '../support/simulation.ts';

const LES = ['0.5', '0.8', '1', '1.3', '2', '3', '+Inf'];

function findSimulatedEpochs(family: Family, scrapes: number, perScrape: number): Epoch[] {
  const { window } = simulate(family, LES, scrapes, perScrape, 17);
  return findEpochs(extractIntervals(window, findBucketEdges(window)), LES.length);
}

describe('findEpochs', () => {
  it.each(['weibull', 'exponential', 'trimodal', 'zeros'])(
    'does not split the steady distribution %s',
    family => {
      expect(findSimulatedEpochs(FAMILIES[family]!, 150, 10)).toEqual([{ from: 0, to: 150 }]);
    },
  );

  it('splits at a step', () => {
    const epochs = findSimulatedEpochs(FAMILIES.step!, 100, 10);
    expect(epochs.length).toBe(2);
    expect(Math.abs(epochs[0]!.to - 60)).toBeLessThanOrEqual(2);
  });

  it('splits a growing distribution into several adjacent epochs', () => {
    const epochs = findSimulatedEpochs(FAMILIES.growing!, 120, 20);
    expect(epochs.length).toBeGreaterThan(3);
    expect(epochs[0]!.from).toBe(0);
    expect(epochs.at(-1)!.to).toBe(120);
    for (let at = 1; at < epochs.length; at += 1) expect(epochs[at]!.from).toBe(epochs[at - 1]!.to);
  });

  it('does not split runs of fewer than 12 intervals', () => {
    expect(findSimulatedEpochs(FAMILIES.step!, 11, 100).length).toBe(1);
  });
});
