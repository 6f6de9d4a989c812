import { expect, it } from 'vitest';
import { Layout } from '../../src/layout/layout.ts';
import { CumulativeChains, listChainSlots } from '../../src/store/cumulativeChains.ts';

it('separates histogram chains from other slots and follows the layout', () => {
  const layout = new Layout();
  const chains = new CumulativeChains(layout);
  const gauge = layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
  expect(chains.histograms).toEqual([]);
  const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
  const inf = layout.bucket(histogram, Infinity, '+Inf');
  const one = layout.bucket(histogram, 1, '1');
  expect(chains.histograms).toEqual([histogram]);
  expect(chains.unchainedSlots).toEqual([gauge.value, histogram.sum]);
  expect(chains.findHistogram(one)).toBe(histogram);
  expect(chains.findHistogram(histogram.sum)).toBeUndefined();
  expect(listChainSlots(histogram, Infinity)).toEqual([one, inf, histogram.count]);
  expect(listChainSlots(histogram, one)).toEqual([inf, histogram.count]);
});
