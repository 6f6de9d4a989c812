import type { MarkerShape } from './markers.ts';
import type { ColorName } from './palette.ts';
import type { Limit } from './timeChartModel.ts';

/** A chart of points with two values, as plain data. */
export interface XyChart {
  readonly id: string;
  /** Title in words, with the unit, such as `Time to first token p99, ms`. */
  readonly title: string;
  /** Explains how to read the chart. */
  readonly help: string;
  readonly x: XyAxis;
  readonly y: XyAxis;
  readonly series: readonly XySeries[];
  /** Horizontal lines. Those far above the values are not drawn. */
  readonly limits?: readonly Limit[];
  /** Whether to tint the area below the first limit. */
  readonly hasZone?: boolean;
}

/** An axis of a chart of points. */
export interface XyAxis {
  /** The name below the axis; empty if the title of the chart says it. */
  readonly name: string;
  readonly isLog?: boolean;
  /** The labels; by default, round values. Labels that would overlap are left out. */
  readonly ticks?: readonly Tick[];
  /** The ends of the axis; by default, from 0 to above the highest mean. */
  readonly domain?: readonly [from: number, to: number];
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Points of one color, in the order of their line. */
export interface XySeries {
  readonly name: string;
  readonly color: ColorName;
  readonly marker: MarkerShape;
  readonly points: readonly XyPoint[];
  /** By default, no line connects the points. */
  readonly line?: 'solid' | 'dashed' | 'thin';
  /** True if the line ends with an arrow, in the direction of its points. */
  readonly hasArrow?: boolean;
  /** True if the area between `base` and `y` is filled. Its points have no markers. */
  readonly isArea?: boolean;
  /** True if only the line is drawn, for references such as a mean. */
  readonly isBare?: boolean;
}

export interface XyPoint {
  readonly x: number;
  readonly y: number;
  /** Half the widths of the intervals. The parts outside of the chart end with a caret. */
  readonly xHalf?: number | null;
  readonly yHalf?: number | null;
  /** The lower end of an area. */
  readonly base?: number;
  /** The text next to the point. */
  readonly label?: string;
  /** True if the point has a ring. */
  readonly isRinged?: boolean;
  /** Describes the point to readers of the page. */
  readonly text: string;
}
