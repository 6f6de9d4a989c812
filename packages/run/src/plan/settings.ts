/** Scrape and export settings; the CLI reads them from the `AIPERF_SERVER_METRICS_*` environment variables. */
export interface RunSettings {
  /** Time between two scrapes of an endpoint, in milliseconds. */
  readonly intervalMs: number;
  /** Duration of scraping after the end of profiling, in milliseconds. */
  readonly flushMs: number;
  /** Default scrape timeout, in milliseconds. A target can override it. */
  readonly reachabilityMs: number;
  /** Maximum number of JSONL lines per write. */
  readonly batchSize: number;
  /** Maximum wait for in-flight scrapes at the end of the run, in milliseconds. */
  readonly shutdownMs: number;
}

/** The defaults of AIPerf. */
export const DEFAULT_SETTINGS: RunSettings = {
  intervalMs: 333,
  flushMs: 2000,
  reachabilityMs: 10_000,
  batchSize: 100,
  shutdownMs: 5000,
};
