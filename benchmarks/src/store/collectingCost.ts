import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointStore } from '@org/core';
import {
  Collector,
  createSystemClock,
  type Endpoint,
  Fetcher,
  JournalWriter,
  parseMetricsTarget,
} from '@org/scrape';
import { INTERVAL_MS } from '../bodies/vllmBodies.ts';
import { CpuClock } from '../measure/cpuClock.ts';
import { measureMemory } from '../measure/memory.ts';

/** The cost in the second half of a measurement, after code is compiled and all series are registered. */
export interface SecondHalfCost {
  readonly samples: number;
  readonly cpuS: number;
}

/** The resources used to collect over HTTP: to scrape, parse, store and journal samples. */
export interface CollectingCost {
  /** Number of sample lines of all bodies, counted as Prometheus counts them. */
  readonly samples: number;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
  /** Memory of the process before the first scrape, in MB. */
  readonly baseRssMb: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly secondHalf: SecondHalfCost;
  /** Growth of JavaScript objects and buffers in bytes, after garbage collection. */
  readonly heldBytes: number;
}

const LIMITS = { timeoutMs: 10_000, encodedBytes: 64e6, decodedBytes: 64e6 };

/** Measures scraping the endpoints of a body server, including storing and journaling the frames as in a run. */
export async function measureCollecting(
  folder: string,
  { port, endpoints, seconds }: { port: number; endpoints: number; seconds: number },
): Promise<CollectingCost> {
  const before = measureMemory();
  const clock = createSystemClock();
  const targets = Array.from({ length: endpoints }, (_, index) =>
    parseMetricsTarget(`127.0.0.1:${port}/${index}/metrics`),
  );
  const journal = JournalWriter.open(join(folder, 'journal'), {});
  const sinks = new Map<Endpoint, { index: number; store: EndpointStore }>();
  const collector = new Collector({
    targets,
    clock,
    intervalMs: INTERVAL_MS,
    createFetcher: () => new Fetcher({ clock, limits: LIMITS }),
    onFrame(endpoint, frame) {
      const { index, store } = sinks.get(endpoint)!;
      store.append(frame);
      journal.append(index, endpoint.layout, frame);
    },
  });
  collector.endpoints.forEach((endpoint, index) => {
    sinks.set(endpoint, { index, store: new EndpointStore(endpoint.layout) });
    journal.addEndpoint(index, { url: endpoint.url, configuredUrl: endpoint.target.url });
  });
  const sum = (count: (endpoint: Endpoint) => number) =>
    collector.endpoints.reduce((total, endpoint) => total + count(endpoint), 0);
  const countSamples = () => sum(endpoint => endpoint.samples);
  const waitHalf = () => sleep<void>(seconds * 500);
  const secondHalfClock = new CpuClock();
  collector.start();
  await waitHalf();
  const samplesBefore = countSamples();
  await secondHalfClock.measureAsync(() => waitHalf());
  const secondHalf = { samples: countSamples() - samplesBefore, cpuS: secondHalfClock.cpuS };
  await collector.close();
  const { rss } = process.memoryUsage();
  const after = measureMemory();
  await journal.remove();
  return {
    samples: countSamples(),
    failedScrapes: sum(({ health }) => health.failedScrapes),
    lateScrapes: sum(({ health }) => health.lateScrapes),
    baseRssMb: before.rssMb,
    rssMb: rss / 1e6,
    peakRssMb: after.peakRssMb,
    secondHalf,
    heldBytes: after.heldBytes - before.heldBytes,
  };
}
