import { type Run, readScrapeInterval } from '@org/analysis';
import type { Axis } from './timeAxis.ts';

/** The maximum number of bins. Runs with many endpoints have fewer bins, to limit the size of the page. */
export const MAX_BINS = 200;
const MAX_BINS_WITH_MANY_ENDPOINTS = 100;
/** Runs with more endpoints than this have at most MAX_BINS_WITH_MANY_ENDPOINTS bins. */
const MANY_ENDPOINTS = 12;
/** The minimum number of scrapes per bin, so that rates do not depend on single scrapes. */
const MIN_SCRAPES_PER_BIN = 2;
/** The scrape interval if it is unknown. */
const DEFAULT_INTERVAL_SECONDS = 0.333;
/** The mean number of requests in a slice, for percentiles, and the maximum number of slices. */
const REQUESTS_PER_SLICE = 20;
export const MAX_SLICES = 60;

/** Creates the axis of a run of some length in seconds. */
export function createAxis(seconds: number, run: Run): Axis {
  const bins = Math.max(1, Math.min(findMaxBins(run), Math.floor(seconds / readMinWidth(run))));
  return { bins, width: seconds / bins };
}

/** Creates the axis of percentiles, whose bins contain more observations. */
export function createSliceAxis(seconds: number, run: Run, requests: number): Axis {
  const most = Math.max(1, Math.min(MAX_SLICES, Math.floor(seconds / readMinWidth(run))));
  const bins = Math.max(1, Math.min(most, Math.round(requests / REQUESTS_PER_SLICE)));
  return { bins, width: seconds / bins };
}

/** Returns the maximum number of bins of a run. */
export function findMaxBins({ endpoints }: Pick<Run, 'endpoints'>): number {
  return endpoints.length > MANY_ENDPOINTS ? MAX_BINS_WITH_MANY_ENDPOINTS : MAX_BINS;
}

/** Returns the minimum width of a bin, in seconds. */
export function readMinWidth(run: Run): number {
  return readInterval(run) * MIN_SCRAPES_PER_BIN;
}

/** Reads the scrape interval of a run, in seconds: the configured one, or the usual one of its endpoints. */
export function readInterval(run: Run): number {
  const configured = run.inputConfig.collection_interval;
  if (typeof configured === 'number' && configured > 0) return configured;
  const intervals = run.endpoints
    .flatMap(endpoint => readScrapeInterval(endpoint) ?? [])
    .sort((a, b) => a - b);
  return intervals[intervals.length >>> 1] ?? DEFAULT_INTERVAL_SECONDS;
}
