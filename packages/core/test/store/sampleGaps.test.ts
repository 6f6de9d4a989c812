import { expect, test } from 'vitest';
import { Layout } from '../../src/layout/layout.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';
import { findSampleGaps } from '../../src/store/sampleGaps.ts';
import { ORIGIN_NS } from '../support/stores.ts';

/** Returns the gaps of an endpoint with samples at these times in a period from 1 s to 20 s, in seconds. */
function find(seconds: readonly number[]): number[][] {
  const store = new EndpointStore(new Layout());
  for (const second of seconds) {
    const timestampNs = ORIGIN_NS + BigInt(Math.round((second - seconds[0]!) * 1e9));
    store.append({ timestampNs, latencyNs: 1e6, changed: true, values: new Float64Array(0) });
  }
  const toOffset = (second: number): number => (second - seconds[0]!) * 1e9;
  const gaps = findSampleGaps(store, { startNs: toOffset(1), endNs: toOffset(20) });
  return gaps.map(gap => [gap.startNs, gap.endNs].map(ns => ns / 1e9 + seconds[0]!));
}

function every(step: number, from: number, to: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

test.each<[string, number[], number[][]]>([
  ['a server that does not respond for 10 s', [...every(0.5, 0, 7), ...every(0.5, 17, 22)], [[7, 17]]],
  ['late scrapes', [...every(0.5, 0, 7), ...every(0.5, 8.5, 22)], []],
  ['an endpoint that is scraped rarely', every(5, 0, 30), []],
  [
    'time before and after the period',
    [0, 0.25, 0.5, ...every(0.5, 21, 23), ...every(0.5, 30, 33)],
    [[0.5, 21]],
  ],
  ['two samples', [0, 20], []],
])('finds gaps between the samples of %s', (_, seconds, expected) => {
  expect(find(seconds)).toEqual(expected);
});
