import { setFlagsFromString } from 'node:v8';

/** Maximum growth of the heap between two garbage collections, in percent of the live data. */
const GROWTH_PERCENT = 40;

/**
 * Makes V8 collect garbage more often while exports are written. By default, V8 lets the heap grow to four times the live
 * data. With this limit, the exports of a run with 100,000 series need 0.5 GB instead of 1.5 GB and take 10% more time.
 *
 * The space for young objects returns to its normal growth, because exports allocate many of them. While scraping, none of
 * this pays: live data grows slowly, and the whole heap would be scanned several times a second.
 *
 * Unknown flags have no effect.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
