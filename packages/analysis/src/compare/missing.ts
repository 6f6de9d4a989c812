import type { SeriesType } from '../run/series.ts';

/** A series that only one side has. */
export interface Missing {
  readonly name: string;
  readonly type: SeriesType;
  readonly labels: Readonly<Record<string, string>>;
}
