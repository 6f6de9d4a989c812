import { expect, test } from 'vitest';
import type { RunEndpoint } from '../../src/run/endpoints.ts';
import { readMaxScrapeDistance, readScrapeInterval } from '../../src/run/scrapeInterval.ts';
import { healthyInfo, SECOND_NS, START_NS } from '../documents.ts';

const info = { ...healthyInfo, total_fetches: 5, last_fetch_ns: START_NS + 20n * SECOND_NS };

test.each<[string, object | undefined, number | undefined]>([
  ['the configured interval', { ...info, configured_interval_ms: 250, median_update_interval_ms: 900 }, 0.25],
  [
    'the interval between samples, although pages rarely change',
    { ...info, median_update_interval_ms: 15_000 },
    5,
  ],
  [
    'the interval between changes, although there was an outage',
    { ...info, median_update_interval_ms: 4000 },
    4,
  ],
  ['unknown with one sample', { ...info, total_fetches: 1, median_update_interval_ms: null }, undefined],
  ['unknown without an endpoint_info', undefined, undefined],
])('is %s', (_, value, expected) => {
  const endpoint = { info: value } as Pick<RunEndpoint, 'info'>;
  expect(readScrapeInterval(endpoint)).toBe(expected);
  expect(readMaxScrapeDistance(endpoint)).toBe(1.5 * (expected ?? 0));
});
