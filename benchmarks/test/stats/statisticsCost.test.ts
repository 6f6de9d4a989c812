import { EndpointStore, Layout, PERCENTILE_METHODS } from '@org/core';
import { expect, test } from 'vitest';
import { measureReading, measureStatistics } from '../../src/stats/statisticsCost.ts';

const SCRAPES = 21;

/** Creates the store of an endpoint with two gauges, a counter and a histogram, scraped once a second. */
function createStore(): EndpointStore {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  for (const queue of ['a', 'b'])
    layout.scalar({ name: 'depth', type: 'gauge', help: '' }, [['queue', queue]]);
  layout.scalar({ name: 'requests', type: 'counter', help: '' }, []);
  const wait = layout.histogram({ name: 'wait_seconds', type: 'histogram', help: '' }, []);
  for (const le of [1, Number.POSITIVE_INFINITY]) layout.bucket(wait, le, le === 1 ? '1' : '+Inf');
  for (let scrape = 0; scrape < SCRAPES; scrape++) {
    const values = new Float64Array(layout.slotCount).fill(scrape);
    store.append({ timestampNs: BigInt(scrape) * 1_000_000_000n, latencyNs: 1, changed: true, values });
  }
  return store;
}

test('counts the timeslices, the estimates, and the series by kind of all endpoints', () => {
  const cost = measureStatistics([createStore(), createStore()], store => ({
    period: { startNs: 5e8, endNs: store.timeline().offsetsNs.at(-1)! },
    sliceNs: 2e9,
    estimator: PERCENTILE_METHODS.moments,
  }));
  expect(cost.series).toEqual({ gauge: 4, counter: 2, histogram: 2 });
  expect(cost.estimates).toBe(2);
  // Two endpoints with four series each. A period of 19.5 s contains nine or ten slices of 2 s.
  expect(cost.slices).toBeGreaterThanOrEqual(2 * 4 * 9);
  expect(cost.slices).toBeLessThanOrEqual(2 * 4 * 10);
  const byKind = Object.values(cost.cpuS).reduce((sum, seconds) => sum + seconds, 0);
  expect(byKind).toBeLessThanOrEqual(cost.totalCpuS);
  expect(cost.totalWallS).toBeGreaterThan(0);
});

test('counts no timeslices or estimates if samples are only read', () => {
  expect(measureReading([createStore()])).toMatchObject({
    series: { gauge: 2, counter: 1, histogram: 1 },
    slices: 0,
    estimates: 0,
  });
});
