import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from '../process/usage.ts';
import type { Servers } from './servers.ts';
import type { TickFigures } from './ticks.ts';

/** Behind the start, before anything is counted: connections stand, code is compiled, the series are known. */
const SETTLE_S = 10;

/** What a scraper needed in a stretch of time in which it did nothing but scrape. */
export interface WindowCost extends TickFigures {
  readonly cpuMsPerScrape: number;
  readonly rssMb: number;
  /** The most since the process began. */
  readonly peakRssMb: number;
  /** Share of one core, in percent: the scraper's, and that of the process which serves the bodies. */
  readonly cpuPercent: number;
  readonly serverCpuPercent: number;
  /** What the machine was doing altogether, by its own account: processes that wanted to run, over the last minute. */
  readonly load: number;
}

/** How long `windowCost` takes, in seconds. */
export function secondsOf(seconds: number): number {
  return SETTLE_S + seconds;
}

/** Looks on while a process scrapes the endpoints: `seconds` long, some time after all of them were asked for. */
export async function windowCost(
  pid: number,
  servers: Servers,
  { endpoints, intervalMs, seconds }: { endpoints: number; intervalMs: number; seconds: number },
): Promise<WindowCost> {
  await servers.allAsked(endpoints);
  await sleep(SETTLE_S * 1000);
  await servers.begin();
  const before = usageOf(pid);
  const serverBefore = usageOf(servers.pid);
  await sleep(seconds * 1000);
  const after = usageOf(pid);
  const serverAfter = usageOf(servers.pid);
  const figures = await servers.figures(intervalMs);
  const cpuS = after.cpuS - before.cpuS;
  return {
    ...figures,
    cpuMsPerScrape: (cpuS * 1000) / figures.scrapes,
    rssMb: after.rssMb,
    peakRssMb: after.peakRssMb,
    cpuPercent: (100 * cpuS) / seconds,
    serverCpuPercent: (100 * (serverAfter.cpuS - serverBefore.cpuS)) / seconds,
    load: loadavg()[0]!,
  };
}
