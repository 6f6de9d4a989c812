import type { RunEndpoint } from './endpoints.ts';

/** Maximum time between two scrapes, as a multiple of the usual time. */
const MAX_DELAY = 1.5;

/**
 * Returns the longest time between two scrapes of an endpoint that is no sign of an outage, in seconds: imported runs may
 * have been scraped every 15 s or 60 s. Returns 0 if the scrape interval is unknown.
 */
export function readMaxScrapeDistance({ info }: Pick<RunEndpoint, 'info'>): number {
  const intervalMs = info?.configured_interval_ms ?? info?.median_update_interval_ms ?? 0;
  return (MAX_DELAY * intervalMs) / 1000;
}
