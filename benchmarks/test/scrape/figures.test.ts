import { expect, test } from 'vitest';
import type { WindowCost } from '../../src/scrape/costWindow.ts';
import { toFigures } from '../../src/scrape/figures.ts';

const cost: WindowCost = {
  scrapes: 3000,
  ticks: 3000,
  met: 2997,
  p50LatenessMs: 0.44,
  p99LatenessMs: 2.66,
  maxLatenessMs: 9.96,
  cpuMsPerScrape: 0.9004,
  rssMb: 125.4,
  peakRssMb: 128,
  cpuBeforeS: 3.701,
  cpuPercent: 4.5,
  serverCpuPercent: 2.25,
  load: 0.5,
};

test('rounds the figures of a scraper', () => {
  expect(toFigures(cost)).toMatchObject({
    cpu_ms_per_scrape: 0.9,
    rss_mb: 125,
    ticks_met: 0.999,
    target_ticks_met: 0.999,
    lateness_p99_ms: 2.7,
  });
  expect(toFigures(cost)).not.toHaveProperty('cpu_ratio');
  expect(toFigures(cost)).not.toHaveProperty('scrapes_late');
});

test('includes the scrape counts of a run, and the ratios to a peer', () => {
  const servelens = { ...cost, peakRssWithExportsMb: 218, failedScrapes: 1, lateScrapes: 2 };
  const peer = { ...cost, cpuMsPerScrape: 1.8, rssMb: 250 };
  expect(toFigures(servelens, peer)).toMatchObject({
    peak_rss_with_exports_mb: 218,
    scrapes_failed: 1,
    scrapes_late: 2,
    cpu_ratio: 0.5,
    target_cpu_ratio: 0.5,
    rss_ratio: 0.5,
  });
});
