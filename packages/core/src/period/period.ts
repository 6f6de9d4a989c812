/**
 * The time range that statistics cover, both ends included, in ns since the timeline's origin. See
 * docs/decisions/0004-reference-sample-and-period.md.
 */
export interface Period {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Times of the barrier scrapes of one endpoint at the start and the end of the period, in ns since the timeline's origin.
 * Absent if the scrape failed.
 */
export interface PeriodEdges {
  readonly baselineNs?: number;
  readonly closingNs?: number;
}
