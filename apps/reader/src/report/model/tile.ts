import type { ColorName } from '../../svg/palette.ts';
import type { Side, Values } from '../../svg/timeChartModel.ts';

/** A tile: the figure of one quantity, with its course. */
export interface Tile {
  readonly id: string;
  readonly name: string;
  /** The main figure, such as `12.3`. */
  readonly value: string;
  /** The statistic of the main figure, such as `p50`; empty for a mean over the run. */
  readonly label: string;
  /** Further figures, one per line. */
  readonly details: readonly string[];
  /** The figure of the baseline, such as `was 60 ms`, and how the metric changed. */
  readonly was?: string;
  readonly change?: string;
  readonly side: Side;
  readonly color: ColorName;
  readonly course: Values;
  /** The highest value of the line; by default, the highest value of the course. */
  readonly top?: number;
  /** The limit or the size, in the unit of the course. */
  readonly limit?: number;
  /** The limit in words, for the line that is drawn. */
  readonly limitText?: string;
  /** The sentence about a missed limit; absent if none was missed. */
  readonly alarm?: string;
}
