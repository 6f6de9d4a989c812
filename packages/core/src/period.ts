/**
 * The part of a run that statistics speak of, both ends included, in ns since the timeline's origin.
 * DESIGN decisions 4 and 8; seed 001, "Data Normalization".
 */
export interface Period {
  readonly startNs: number;
  readonly endNs: number;
}
