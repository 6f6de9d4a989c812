import type { EndpointInfo } from '@org/formats';
import type { RunEndpoint } from './endpoints.ts';

/** Maximum time between two scrapes, as a multiple of the usual time. */
const MAX_DELAY = 1.5;

/**
 * Returns the usual time between two scrapes of an endpoint, in seconds; undefined if it is unknown. Imported runs have no
 * configured interval, so it is derived from the samples: pages do not change more often, and outages only increase the mean.
 */
export function readScrapeInterval({ info }: Pick<RunEndpoint, 'info'>): number | undefined {
  if (!info) return undefined;
  if (info.configured_interval_ms !== undefined) return info.configured_interval_ms / 1000;
  const known = [computeMeanInterval(info), (info.median_update_interval_ms ?? 0) / 1000].filter(
    seconds => seconds > 0,
  );
  return known.length === 0 ? undefined : Math.min(...known);
}

function computeMeanInterval({ first_fetch_ns, last_fetch_ns, total_fetches }: EndpointInfo): number {
  if (first_fetch_ns === undefined || last_fetch_ns === undefined || total_fetches < 2) return 0;
  return Number(last_fetch_ns - first_fetch_ns) / 1e9 / (total_fetches - 1);
}

/** Returns the longest time between two scrapes that is no sign of an outage, in seconds; 0 if it is unknown. */
export function readMaxScrapeDistance(endpoint: Pick<RunEndpoint, 'info'>): number {
  return MAX_DELAY * (readScrapeInterval(endpoint) ?? 0);
}
