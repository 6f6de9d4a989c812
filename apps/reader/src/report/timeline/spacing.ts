import { formatValue } from '@org/core';

/** The time between samples of an endpoint that charts need, and the time between its scrapes, in seconds. */
export interface Spacing {
  readonly neededSeconds: number;
  readonly scrapeSeconds: number;
}

/** The share of the needed time that must be between two samples, because scrapes are not exactly periodic. */
const TOLERANCE = 0.9;

/** Reports whether scrapes are so close that at least every second one is not needed. */
export function isThinned({ neededSeconds, scrapeSeconds }: Spacing): boolean {
  return neededSeconds >= 2 * scrapeSeconds;
}

/** Describes the samples that `selectScrapes` selects. */
export function describeThinned({ neededSeconds }: Spacing): string {
  return `one scrape per ${formatValue(neededSeconds, 'seconds')} of a large file, so shorter peaks can be missing`;
}

/** Selects scrapes of each endpoint that are at least the needed time apart. Counters and histograms keep all increases. */
export function selectScrapes({
  neededSeconds,
}: Spacing): (endpointUrl: string, timestampNs: bigint) => boolean {
  const leastNs = BigInt(Math.round(neededSeconds * TOLERANCE * 1e9));
  const last = new Map<string, bigint>();
  return (endpointUrl, timestampNs) => {
    const lastNs = last.get(endpointUrl);
    if (lastNs !== undefined && timestampNs - lastNs < leastNs) return false;
    last.set(endpointUrl, timestampNs);
    return true;
  };
}
