import type { CostRecord } from '@org/record';
import { expect, test } from 'vitest';
import { endpointRecord, HEALTHY, runRecord } from '../../../packages/record/test/support/runRecord.ts';
import { costLine } from '../src/costline.ts';

const PACE = {
  configured_interval_ms: 333,
  effective_interval_ms: 333,
  max_interval_ms: 333,
  interval_backoffs: 0,
};
const QUICK: CostRecord = {
  ...PACE,
  scrape_latency_p50_ms: 2,
  scrape_latency_p99_ms: 8,
  bytes_decoded: 2048,
};
const SLOW: CostRecord = {
  ...PACE,
  scrape_latency_p50_ms: 150,
  scrape_latency_p99_ms: 900,
  bytes_decoded: 6144,
};
const SILENT: CostRecord = { ...PACE, bytes_decoded: 0 };
const SCRAPING = { scrapes: 4, cpu_ms: 5, cpu_ms_per_scrape: 1.25 };

const run = (...costs: CostRecord[]) =>
  runRecord(
    costs.map((cost, at) => ({
      ...endpointRecord(
        `http://e${at}`,
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
  ['one endpoint', [QUICK], 'scraping: 4 scrapes, p50 2 ms, p99 8 ms, 1 KiB each, our CPU 1.25 ms each'],
  [
    'the slowest of several',
    [QUICK, SLOW, SILENT],
    'scraping: 4 scrapes, p50 150 ms, p99 900 ms on the slowest endpoint, 2 KiB each, our CPU 1.25 ms each',
  ],
  ['none that answered', [SILENT], undefined],
])('the line is about %s', (_name, costs, line) => {
  expect(costLine({ ...run(...costs), scraping: SCRAPING })).toBe(line);
});

test('there is none for the run of an older version', () => {
  expect(costLine(run(QUICK))).toBeUndefined();
});
