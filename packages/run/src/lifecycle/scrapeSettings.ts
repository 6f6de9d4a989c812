/** The five variables of seed 002, "Configuration", in the units in which they are used. */
export interface Settings {
  /** Between two scrapes of an endpoint, ms. */
  readonly intervalMs: number;
  /** After the benchmark, how long scraping goes on for the record, ms. */
  readonly flushMs: number;
  /** How long an endpoint may take to answer the first time, ms. */
  readonly reachabilityMs: number;
  /** Lines of JSONL that are written at a time. */
  readonly batchSize: number;
  /** How long scrapes that are under way may take when everything ends, ms. */
  readonly shutdownMs: number;
}
