import type { ColorName } from './palette.ts';

/** Values over time; null where a value is unknown. */
export type Values = readonly (number | null)[];

/** The side that measured: the load generator or the servers. */
export type Side = 'client' | 'server';

/** A chart over time, as plain data. Values are in the unit of the title. */
export interface TimeChart {
  readonly id: string;
  readonly side: Side;
  /** Title in words, with the unit, such as `Time to first token, ms`. */
  readonly title: string;
  /** The unit after values, such as `ms`; empty for counts. */
  readonly unit: string;
  /** Names of the drawn metrics. */
  readonly metrics: readonly string[];
  /** What the chart shows, and how to read it. */
  readonly help: string;
  /** Value `i` is at `from + (i + 0.5) * step`, in seconds since the start of profiling. */
  readonly axis: PointAxis;
  readonly layers: readonly Layer[];
  readonly limits?: readonly Limit[];
  /** The top of the value axis, such as 100 for percent; by default, it fits the values. */
  readonly max?: number;
  /** The load, which is drawn behind the values on an axis of its own. */
  readonly load?: { readonly name: string; readonly values: Values; readonly axis: PointAxis };
}

/** Points at equal distances in time. */
export interface PointAxis {
  readonly from: number;
  readonly step: number;
}

/** A part of a chart, drawn over the parts before it. */
export type Layer = LineLayer | BandLayer | AreaLayer | DotLayer | EventLayer;

interface NamedLayer {
  readonly name: string;
  readonly color: ColorName;
}

/** A layer that may have its own points in time, such as a line of another run. */
interface TimedLayer extends NamedLayer {
  /** The times of the values; by default, the times of the chart. */
  readonly axis?: PointAxis;
}

/** A line through the values, or steps. */
export interface LineLayer extends TimedLayer {
  readonly form: 'line' | 'step';
  readonly values: Values;
  readonly isDashed?: true;
  readonly isThin?: true;
}

/** The range between two values. A null in `high` where `low` is known means that there is no upper bound. */
export interface BandLayer extends TimedLayer {
  readonly form: 'band';
  readonly low: Values;
  readonly high: Values;
  /** Whether to fill the area between two lines; otherwise each value covers its whole time. */
  readonly isBetweenLines?: true;
}

/** A filled amount. The areas of a chart are stacked in their order. */
export interface AreaLayer extends NamedLayer {
  readonly form: 'area';
  readonly values: Values;
}

/** An observation; `row` is the index of its request in a table. */
export type DotPoint = readonly [seconds: number, value: number, row?: number];

/** Single observations, as seconds and value. Those above the chart are drawn as marks at its top. */
export interface DotLayer extends NamedLayer {
  readonly form: 'dots' | 'crosses';
  readonly points: readonly DotPoint[];
}

/** Events without a value, as marks at the bottom. */
export interface EventLayer extends NamedLayer {
  readonly form: 'events';
  readonly times: readonly number[];
}

/** Returns the times of the values of a layer; by default, the times of the chart. */
export function getLayerAxis(layer: Layer, chart: Pick<TimeChart, 'axis'>): PointAxis {
  return ('axis' in layer && layer.axis) || chart.axis;
}

/** A horizontal line, such as a limit of a request or the size of a batch. */
export interface Limit {
  readonly value: number;
  readonly name: string;
}

/** What happened on the time axis, in all charts. Times are in seconds since the start of profiling. */
export interface TimeMarks {
  /** The profiling period. The time outside is shaded. */
  readonly profiling?: readonly [from: number, to: number];
  readonly intervals: readonly Interval[];
  readonly moments: readonly Moment[];
}

/** A shaded interval: the evidence of a finding, or time without samples. */
export interface Interval {
  readonly kind: 'finding' | 'gap';
  readonly from: number;
  readonly to: number;
  /** The number of the finding, or `no scrape`. */
  readonly label: string;
}

/** A moment: a server started, restarted or died, or a user's mark. */
export interface Moment {
  readonly kind: 'start' | 'restart' | 'death' | 'mark';
  readonly seconds: number;
  readonly label: string;
}
