import { findTop, type TimeRange } from '../src/svg/extent.ts';
import { createValueScale, MARGIN, measurePlot } from '../src/svg/timeChart.ts';
import type { DotPoint } from '../src/svg/timeChartModel.ts';
import { type DrawnChart, selectVisible } from './drawnChart.ts';

/** The distance from a dot within which a click selects it, in pixels. */
const MAX_DISTANCE = 12;

/** Returns the row of the request whose dot is nearest to a position in the box of a chart. */
export function findDot(drawn: DrawnChart, range: TimeRange, x: number, y: number): number | undefined {
  const scale = drawn.width / drawn.box.clientWidth;
  const plot = measurePlot(drawn);
  const chart = selectVisible(drawn);
  const values = createValueScale(chart, findTop(chart, range), plot, drawn.isLog);
  const [from, to] = range;
  const measure = ([seconds, value]: DotPoint): number => {
    const left = MARGIN.left + ((seconds - from) / (to - from)) * plot.width;
    // A dot above the chart is a mark at its top.
    const top = MARGIN.top + Math.max(3, values.toPixel(value));
    return Math.hypot(left - x * scale, top - y * scale) / scale;
  };
  return findNearest(drawn, measure, MAX_DISTANCE);
}

/** Returns the row of the request whose dot is nearest in time. */
export function findDotAt(drawn: DrawnChart, seconds: number): number | undefined {
  return findNearest(drawn, ([at]) => Math.abs(at - seconds), Number.POSITIVE_INFINITY);
}

function findNearest(
  drawn: DrawnChart,
  measure: (point: DotPoint) => number,
  limit: number,
): number | undefined {
  let nearest: number | undefined;
  let least = limit;
  for (const layer of selectVisible(drawn).layers) {
    for (const point of 'points' in layer ? layer.points : []) {
      const distance = measure(point);
      if (point[2] === undefined || distance >= least) continue;
      [nearest, least] = [point[2], distance];
    }
  }
  return nearest;
}
