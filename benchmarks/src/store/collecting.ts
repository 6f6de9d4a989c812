import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointStore } from '@org/core';
import { Collector, type Endpoint, Fetcher, JournalWriter, metricsTarget, systemClock } from '@org/scrape';
import { INTERVAL_MS } from './trace.ts';
import { CpuClock, memory } from './usage.ts';

/** The second half of the time, in which a scraper does what it will go on doing: it is compiled and knows the series. */
export interface HalfCost {
  readonly samples: number;
  readonly cpuS: number;
}

/** What collecting over HTTP needed: scraping, reading, storing, journaling. */
export interface CollectingCost {
  /** Sample lines of all bodies, as its peers count them. */
  readonly samples: number;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
  readonly baseRssMb: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly late: HalfCost;
  readonly heldBytes: number;
}

const LIMITS = { timeoutMs: 10_000, encodedBytes: 64e6, decodedBytes: 64e6 };

/** Scrapes the endpoints of a body server for a while with all that a run of Servelens does with their frames. */
export async function collectingCost(
  folder: string,
  { port, endpoints, seconds }: { port: number; endpoints: number; seconds: number },
): Promise<CollectingCost> {
  const before = memory();
  const clock = systemClock();
  const targets = Array.from({ length: endpoints }, (_, at) =>
    metricsTarget(`127.0.0.1:${port}/${at}/metrics`),
  );
  const journal = JournalWriter.open(join(folder, 'journal'), {});
  const kept = new Map<Endpoint, { index: number; store: EndpointStore }>();
  const collector = new Collector({
    targets,
    clock,
    intervalMs: INTERVAL_MS,
    fetcher: () => new Fetcher({ clock, limits: LIMITS }),
    onFrame(endpoint, frame) {
      const { index, store } = kept.get(endpoint)!;
      store.append(frame);
      journal.append(index, endpoint.layout, frame);
    },
  });
  collector.endpoints.forEach((endpoint, index) => {
    kept.set(endpoint, { index, store: new EndpointStore(endpoint.layout) });
    journal.endpoint(index, { url: endpoint.url, configuredUrl: endpoint.target.url });
  });
  const all = (count: (endpoint: Endpoint) => number) =>
    collector.endpoints.reduce((sum, endpoint) => sum + count(endpoint), 0);
  const samples = () => all(endpoint => endpoint.samples);
  const half = () => sleep<void>(seconds * 500);
  const clockOfHalf = new CpuClock();
  collector.start();
  await half();
  const samplesBefore = samples();
  await clockOfHalf.measureAsync(() => half());
  const late = { samples: samples() - samplesBefore, cpuS: clockOfHalf.cpuS };
  await collector.close();
  const { rss } = process.memoryUsage();
  const after = memory();
  await journal.remove();
  return {
    samples: samples(),
    failedScrapes: all(({ health }) => health.failedScrapes),
    lateScrapes: all(({ health }) => health.lateScrapes),
    baseRssMb: before.rssMb,
    rssMb: rss / 1e6,
    peakRssMb: after.peakRssMb,
    late,
    heldBytes: after.heldBytes - before.heldBytes,
  };
}
