import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointStore } from '@org/core';
import { Collector, createSystemClock, DEFAULT_LIMITS, Fetcher, parseMetricsTarget } from '@org/scrape';
import { generateVllmBodies, INTERVAL_MS } from '../bodies/vllmBodies.ts';
import { BodyServers } from '../scrape/bodyServers.ts';

/** Active scraping in the background of a load. */
export interface BackgroundScrape {
  close(): Promise<void>;
}

/**
 * Starts to scrape `endpoints` endpoints three times per second and to store the samples, as a run does. A
 * separate process serves the bodies of a simulated vLLM server. Does nothing if `endpoints` is 0.
 */
export async function startBackgroundScrape(endpoints: number): Promise<BackgroundScrape> {
  if (endpoints === 0) return { close: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'servelens-loadgen-'));
  const servers = await BodyServers.start(
    [...generateVllmBodies(3, 20)].map(({ body }) => body),
    folder,
  );
  const clock = createSystemClock();
  const stores = new Map<unknown, EndpointStore>();
  const collector = new Collector({
    targets: Array.from({ length: endpoints }, (_, index) => parseMetricsTarget(servers.formatUrl(index))),
    clock,
    intervalMs: INTERVAL_MS,
    createFetcher: () => new Fetcher({ clock, limits: { ...DEFAULT_LIMITS, timeoutMs: 5000 } }),
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
