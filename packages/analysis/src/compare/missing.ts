import type { SeriesType } from '../run/series.ts';

/** A series that only one side has. */
export interface OneSidedSeries {
  readonly name: string;
  readonly type: SeriesType;
  readonly labels: Readonly<Record<string, string>>;
}
