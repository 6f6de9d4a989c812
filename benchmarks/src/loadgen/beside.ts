import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointStore } from '@org/core';
import { Collector, DEFAULT_LIMITS, Fetcher, metricsTarget, systemClock } from '@org/scrape';
import { Servers } from '../scrape/servers.ts';
import { busyBodies, INTERVAL_MS } from '../store/trace.ts';

/** Scraping beside a load. */
export interface Beside {
  close(): Promise<void>;
}

/** Scrapes so many endpoints three times a second into stores, as a run does; a process of its own serves a simulated vLLM's bodies. */
export async function scrapeBeside(endpoints: number): Promise<Beside> {
  if (endpoints === 0) return { close: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'servelens-loadgen-'));
  const servers = await Servers.start(
    [...busyBodies(3, 20)].map(({ body }) => body),
    folder,
  );
  const clock = systemClock();
  const stores = new Map<unknown, EndpointStore>();
  const collector = new Collector({
    targets: Array.from({ length: endpoints }, (_, index) => metricsTarget(servers.url(index))),
    clock,
    intervalMs: INTERVAL_MS,
    fetcher: () => new Fetcher({ clock, limits: { ...DEFAULT_LIMITS, timeoutMs: 5000 } }),
    onFrame: (endpoint, frame) => stores.get(endpoint)!.append(frame),
  });
  for (const endpoint of collector.endpoints) stores.set(endpoint, new EndpointStore(endpoint.layout));
  await collector.scrapeAll(5000);
  collector.start();
  return {
    close: async () => {
      await collector.close();
      servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
