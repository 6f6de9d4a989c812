import { expect, it } from 'vitest';
import { Layout } from '../../src/layout/layout.ts';
import { CumulativeChains, listChainSlots } from '../../src/store/cumulativeChains.ts';

it('separates histogram chains from other slots and includes series added later', () => {
  const layout = new Layout();
  const chains = new CumulativeChains(layout);
  const gauge = layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
  expect(chains.histograms).toEqual([]);
  const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
  const infiniteBucket = layout.bucket(histogram, Infinity, '+Inf');
  const bucket1 = layout.bucket(histogram, 1, '1');
  expect(chains.histograms).toEqual([histogram]);
  expect(chains.unchainedSlots).toEqual([gauge.value, histogram.sum]);
  expect(chains.findHistogram(bucket1)).toBe(histogram);
  expect(chains.findHistogram(histogram.sum)).toBeUndefined();
  expect(listChainSlots(histogram, Infinity)).toEqual([bucket1, infiniteBucket, histogram.count]);
  expect(listChainSlots(histogram, bucket1)).toEqual([infiniteBucket, histogram.count]);
});
