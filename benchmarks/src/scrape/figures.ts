import { round } from '../measure/numbers.ts';
import type { WindowCost } from './costWindow.ts';
import type { RunEnd } from './scrapers.ts';

const TARGETS = { cpuRatio: 0.5, rssRatio: 0.5, ticksMet: 0.999 };

/** Converts the cost of a scraper to printed figures. If `peer` is set, includes the ratios to the cost of the peer. */
export function toFigures(cost: WindowCost | (WindowCost & RunEnd), peer?: WindowCost): object {
  return {
    scrapes: cost.scrapes,
    cpu_ms_per_scrape: round(cost.cpuMsPerScrape, 3),
    cpu_percent: round(cost.cpuPercent, 1),
    server_cpu_percent: round(cost.serverCpuPercent, 1),
    cpu_s_before: round(cost.cpuBeforeS, 2),
    rss_mb: round(cost.rssMb),
    peak_rss_mb: round(cost.peakRssMb),
    ticks: cost.ticks,
    ticks_met: round(cost.met / cost.ticks, 5),
    target_ticks_met: TARGETS.ticksMet,
    lateness_p50_ms: round(cost.p50LatenessMs, 1),
    lateness_p99_ms: round(cost.p99LatenessMs, 1),
    lateness_max_ms: round(cost.maxLatenessMs, 1),
    load_average: round(cost.load, 2),
    ...('lateScrapes' in cost && {
      peak_rss_with_exports_mb: round(cost.peakRssWithExportsMb),
      scrapes_late: cost.lateScrapes,
      scrapes_failed: cost.failedScrapes,
    }),
    ...(peer && {
      cpu_ratio: round(cost.cpuMsPerScrape / peer.cpuMsPerScrape, 2),
      target_cpu_ratio: TARGETS.cpuRatio,
      rss_ratio: round(cost.rssMb / peer.rssMb, 2),
      target_rss_ratio: TARGETS.rssRatio,
    }),
  };
}
