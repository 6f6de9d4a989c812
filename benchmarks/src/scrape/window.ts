import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from '../process/usage.ts';
import type { Endpoints } from './bodyserver.ts';
import type { Servers } from './servers.ts';
import type { TickFigures } from './ticks.ts';

/**
 * Behind the start, before anything is counted: connections stand, the series are known, code is compiled. That takes longest with
 * few endpoints: ours needs some thousand scrapes of them. Every scraper has it, and what each took until then is told.
 */
const SETTLE_S = 30;
const RSS_POLL_MS = 250;

/** A process that scrapes. */
export interface Scraper {
  readonly pid: number;
  readonly of: Endpoints;
  readonly intervalMs: number;
}

/** What a scraper needed in a stretch of time in which it did nothing but scrape. */
export interface WindowCost extends TickFigures {
  readonly cpuMsPerScrape: number;
  /** The most in this time. */
  readonly rssMb: number;
  /** The most since the process began. */
  readonly peakRssMb: number;
  /** Processor time from the start of the process to this time, in seconds. */
  readonly cpuBeforeS: number;
  /** Share of one core, in percent: the scraper's, and that of the process which serves the bodies, to all scrapers. */
  readonly cpuPercent: number;
  readonly serverCpuPercent: number;
  /** What the machine was doing altogether, by its own account: processes that wanted to run, over the last minute. */
  readonly load: number;
}

/** How long `windowCosts` takes, in seconds. */
export function secondsOf(seconds: number): number {
  return SETTLE_S + seconds;
}

/** Looks on while processes scrape: at all of them over the same `seconds`, some time after their endpoints were asked for. */
export async function windowCosts(
  servers: Servers,
  scrapers: readonly Scraper[],
  seconds: number,
): Promise<WindowCost[]> {
  for (const { of } of scrapers) await servers.allAsked(of);
  await sleep(SETTLE_S * 1000);
  await servers.begin();
  const before = scrapers.map(({ pid }) => usageOf(pid));
  const serverBefore = usageOf(servers.pid);
  const rssMb = await mostMemory(scrapers, seconds);
  const after = scrapers.map(({ pid }) => usageOf(pid));
  const serverCpuS = usageOf(servers.pid).cpuS - serverBefore.cpuS;
  // One after the other: answers have no names.
  const figures: TickFigures[] = [];
  for (const { of, intervalMs } of scrapers) figures.push(await servers.figures(of, intervalMs));
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

/** By scraper: the most memory that it was seen to hold. */
async function mostMemory(scrapers: readonly Scraper[], seconds: number): Promise<number[]> {
  const most = scrapers.map(() => 0);
  const endMs = performance.now() + seconds * 1000;
  for (let leftMs = seconds * 1000; leftMs > 0; leftMs = endMs - performance.now()) {
    await sleep(Math.min(RSS_POLL_MS, leftMs));
    scrapers.forEach(({ pid }, index) => {
      most[index] = Math.max(most[index]!, usageOf(pid).rssMb);
    });
  }
  return most;
}
