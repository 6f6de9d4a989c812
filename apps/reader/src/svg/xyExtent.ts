import { findHighest } from './extent.ts';
import { createLinearScale, createLogScale, type Scale } from './scale.ts';
import type { XyAxis, XyChart, XyPoint } from './xyChartModel.ts';

/** Space beyond the highest mean, as a factor, for the label of the last point. */
const HEADROOM = 1.1;
/** A limit this many times above the highest mean is not drawn, because the points would be flat. */
const MAX_LIMIT_FACTOR = 2.5;
/** The lowest value of a logarithmic axis, as a fraction of the highest. */
const LOG_RANGE = 1e-4;

/** The size of a drawing, in pixels. */
export interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

/** The scales of a chart of points, in pixels of its drawing. */
export interface XyScales {
  readonly x: Scale;
  readonly y: Scale;
}

/** The space around the plot, in pixels. The name of the horizontal axis is below its labels. */
export const XY_MARGIN = { left: 54, right: 18, top: 12, bottom: 22 } as const;
const NAME_HEIGHT = 18;

/** The edges of the plot, in pixels. */
export interface PlotEdges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function measureXyPlot({ x }: Pick<XyChart, 'x'>, { width, height }: DrawingSize): PlotEdges {
  const { left, right, top, bottom } = XY_MARGIN;
  return {
    left,
    right: width - right,
    top,
    bottom: height - bottom - (x.name === '' ? 0 : NAME_HEIGHT),
  };
}

/** Creates the scales of a chart. The axes fit the means; intervals may be longer. */
export function createXyScales(chart: XyChart, size: DrawingSize): XyScales {
  const { left, right, top, bottom } = measureXyPlot(chart, size);
  const points = chart.series.flatMap(each => each.points);
  const limits = chart.limits?.map(({ value }) => value) ?? [];
  return {
    x: createScale(chart.x, listCoordinates(points, 'x'), [], [left, right]),
    y: createScale(chart.y, listCoordinates(points, 'y'), limits, [bottom, top]),
  };
}

function listCoordinates(points: readonly XyPoint[], name: 'x' | 'y'): number[] {
  return points.map(point => point[name]).filter(Number.isFinite);
}

function createScale(
  { isLog, domain }: XyAxis,
  values: readonly number[],
  limits: readonly number[],
  range: readonly [number, number],
): Scale {
  const highest = findHighest(values);
  const drawn = limits.filter(limit => highest === 0 || limit <= highest * MAX_LIMIT_FACTOR);
  const top = (findHighest([highest, ...drawn]) || 1) * HEADROOM;
  if (!isLog) return createLinearScale(domain ?? [0, top], range);
  const positive = values.filter(value => value > 0);
  const lowest = positive.reduce((a, b) => Math.min(a, b), top);
  return createLogScale(domain ?? [Math.max(lowest / 1.3, top * LOG_RANGE), top * HEADROOM], range);
}
