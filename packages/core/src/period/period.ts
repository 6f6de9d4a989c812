/**
 * The part of a run that statistics speak of, both ends included, in ns since the timeline's origin.
 * DESIGN decisions 4 and 8; seed 001, "Data Normalization".
 */
export interface Period {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * The samples of one endpoint that were taken for the ends of a period, by their times in ns since the timeline's origin: its
 * scrape of the barrier at the start and at the end. Absent when the endpoint gave none.
 */
export interface PeriodEdges {
  readonly baselineNs?: number;
  readonly closingNs?: number;
}
