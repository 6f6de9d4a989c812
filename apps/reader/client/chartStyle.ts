import type uPlot from 'uplot';
import { getColor, onThemeChange } from './theme.ts';

const FONT = '12px system-ui, sans-serif';
/** The minimum width of a chart, in pixels. */
const MIN_CHART_WIDTH = 200;
/** Height of the horizontal axis, in pixels. */
export const X_AXIS_HEIGHT = 34;
/** Width of the vertical axis, in pixels. */
export const Y_AXIS_WIDTH = 76;

/** Creates the axis style that all charts share. */
export function createAxisStyle(): Pick<uPlot.Axis, 'stroke' | 'grid' | 'ticks' | 'font' | 'labelFont'> {
  const line = { stroke: () => getColor('grid'), width: 1 };
  return { stroke: () => getColor('muted'), grid: line, ticks: line, font: FONT, labelFont: FONT };
}

/** Returns the width of a chart in its box, in pixels. The minimum applies while the box is not part of the page. */
export function getChartWidth(box: HTMLElement): number {
  return Math.max(MIN_CHART_WIDTH, box.clientWidth);
}

/**
 * Adjusts the chart in a box when the width of the box or the colors of the page change. `getChart` returns the current
 * chart, because the chart in a box can be replaced.
 */
export function keepUpToDate(box: HTMLElement, height: number, getChart: () => uPlot | undefined): void {
  new ResizeObserver(() => {
    const chart = getChart();
    const width = getChartWidth(box);
    if (chart && width !== chart.width) chart.setSize({ width, height });
  }).observe(box);
  onThemeChange(() => getChart()?.redraw());
}
