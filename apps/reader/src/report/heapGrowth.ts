import { setFlagsFromString } from 'node:v8';

/** Maximum growth of the heap between two garbage collections, in percent of the live data. */
const GROWTH_PERCENT = 60;

/**
 * Makes V8 collect garbage more often while a page is built. By default, V8 lets the heap grow to four times the live data.
 * The page of 60 endpoints with 720 timeslices has 50 MB of live data: with this limit, it needs a third less memory, and 15%
 * more CPU time. The page of a sweep of 500 loads needs 30% less memory.
 *
 * Unknown flags have no effect.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
