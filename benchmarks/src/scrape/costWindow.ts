import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessUsage } from '../measure/processUsage.ts';
import type { EndpointRange } from './bodyServerProcess.ts';
import type { BodyServers } from './bodyServers.ts';
import type { TickFigures } from './ticks.ts';

/**
 * Duration of the warm-up in seconds, in which scrapers open connections, register the series and compile code.
 * Servelens needs a few thousand scrapes for this. The CPU time of the warm-up is reported separately.
 */
const WARMUP_S = 30;
const RSS_POLL_MS = 250;

/** A scraper process. */
export interface Scraper {
  readonly pid: number;
  readonly range: EndpointRange;
  readonly intervalMs: number;
}

/**
 * The resource usage of a scraper. Unless noted, only the measured window counts, which excludes startup and
 * exports.
 */
export interface WindowCost extends TickFigures {
  readonly cpuMsPerScrape: number;
  /** Peak memory in the window, in MB. */
  readonly rssMb: number;
  /** Peak memory since the start of the process, in MB. */
  readonly peakRssMb: number;
  /** CPU time from the start of the process to the window, in seconds. */
  readonly cpuBeforeS: number;
  /** Percentage of one core that the scraper used. */
  readonly cpuPercent: number;
  /** Percentage of one core that the body server used for all scrapers. */
  readonly serverCpuPercent: number;
  /** Load average of the machine over the last minute. */
  readonly load: number;
}

/** Returns the duration of a measurement including its warm-up, in seconds. */
export function toTotalSeconds(measuredSeconds: number): number {
  return WARMUP_S + measuredSeconds;
}

/** Measures several scraper processes in the same window, which starts after a warm-up and takes `seconds`. */
export async function measureWindowCosts(
  servers: BodyServers,
  scrapers: readonly Scraper[],
  seconds: number,
): Promise<WindowCost[]> {
  for (const { range } of scrapers) await servers.waitForAllEndpoints(range);
  await sleep(WARMUP_S * 1000);
  await servers.reset();
  const before = scrapers.map(({ pid }) => readProcessUsage(pid));
  const serverBefore = readProcessUsage(servers.pid);
  const rssMb = await pollPeakMemory(scrapers, seconds);
  const after = scrapers.map(({ pid }) => readProcessUsage(pid));
  const serverCpuS = readProcessUsage(servers.pid).cpuS - serverBefore.cpuS;
  // The commands are sent sequentially, because replies cannot be matched to commands.
  const figures: TickFigures[] = [];
  for (const { range, intervalMs } of scrapers) figures.push(await servers.fetchFigures(range, intervalMs));
  return scrapers.map((_, index) => {
    const cpuS = after[index]!.cpuS - before[index]!.cpuS;
    return {
      ...figures[index]!,
      cpuMsPerScrape: (cpuS * 1000) / figures[index]!.scrapes,
      rssMb: rssMb[index]!,
      peakRssMb: after[index]!.peakRssMb,
      cpuBeforeS: before[index]!.cpuS,
      cpuPercent: (100 * cpuS) / seconds,
      serverCpuPercent: (100 * serverCpuS) / seconds,
      load: loadavg()[0]!,
    };
  });
}

/** Polls the memory of all scrapers for `seconds`. Returns the peak of each scraper, in MB. */
async function pollPeakMemory(scrapers: readonly Scraper[], seconds: number): Promise<number[]> {
  const peaks = scrapers.map(() => 0);
  const endMs = performance.now() + seconds * 1000;
  for (let remainingMs = seconds * 1000; remainingMs > 0; remainingMs = endMs - performance.now()) {
    await sleep(Math.min(RSS_POLL_MS, remainingMs));
    scrapers.forEach(({ pid }, index) => {
      peaks[index] = Math.max(peaks[index]!, readProcessUsage(pid).rssMb);
    });
  }
  return peaks;
}
