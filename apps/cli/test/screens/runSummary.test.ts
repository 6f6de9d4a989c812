import type { CostRecord } from '@org/record';
import { expect, test } from 'vitest';
import { endpointRecord, HEALTHY, runRecord } from '../../../../packages/record/test/support/runRecord.ts';
import { formatCost } from '../../src/screens/runSummary.ts';

const INTERVALS = {
  configured_interval_ms: 333,
  effective_interval_ms: 333,
  max_interval_ms: 333,
  interval_backoffs: 0,
};
const QUICK: CostRecord = {
  ...INTERVALS,
  scrape_latency_p50_ms: 2,
  scrape_latency_p99_ms: 8,
  bytes_decoded: 2048,
};
const SLOW: CostRecord = {
  ...INTERVALS,
  scrape_latency_p50_ms: 150,
  scrape_latency_p99_ms: 900,
  bytes_decoded: 6144,
};
const SILENT: CostRecord = { ...INTERVALS, bytes_decoded: 0 };
const SCRAPING = { scrapes: 4, cpu_ms: 5, cpu_ms_per_scrape: 1.25 };

const createRun = (...costs: CostRecord[]) =>
  runRecord(
    costs.map((cost, index) => ({
      ...endpointRecord(
        `http://e${index}`,
        { a: 'gauge' },
        cost === SILENT
          ? []
          : [
              [0, { a: 1 }],
              [1, { a: 2 }],
            ],
      ),
      health: { ...HEALTHY, cost },
    })),
    0,
    1,
  );

test.each([
  [
    'one endpoint',
    [QUICK],
    'scraping: 4 scrapes, p50 2 ms, p99 8 ms, 1 KiB per scrape, 1.25 ms CPU per scrape',
  ],
  [
    'the slowest of several',
    [QUICK, SLOW, SILENT],
    'scraping: 4 scrapes, p50 150 ms, p99 900 ms on the slowest endpoint, 2 KiB per scrape, 1.25 ms CPU per scrape',
  ],
  ['no endpoint that responded', [SILENT], undefined],
])('describes %s', (_name, costs, line) => {
  expect(formatCost({ ...createRun(...costs), scraping: SCRAPING })).toBe(line);
});

test('returns undefined for runs that did not record the cost', () => {
  expect(formatCost(createRun(QUICK))).toBeUndefined();
});
