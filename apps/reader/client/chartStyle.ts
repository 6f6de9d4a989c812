import type uPlot from 'uplot';
import { color, onTheme } from './theme.ts';

const FONT = '12px system-ui, sans-serif';

/** The style of the axes of all charts. */
export function axisLook(): Pick<uPlot.Axis, 'stroke' | 'grid' | 'ticks' | 'font' | 'labelFont'> {
  const line = { stroke: () => color('grid'), width: 1 };
  return { stroke: () => color('muted'), grid: line, ticks: line, font: FONT, labelFont: FONT };
}

/** Returns the width of a chart in its box; a box that is not on the page yet has none. */
export function widthOf(box: HTMLElement): number {
  return Math.max(200, box.clientWidth);
}

/** Adjusts the chart in a box to its width and to the colors of the page. The box may get another chart later. */
export function follow(box: HTMLElement, height: number, current: () => uPlot | undefined): void {
  new ResizeObserver(() => {
    const chart = current();
    const width = widthOf(box);
    if (chart && width !== chart.width) chart.setSize({ width, height });
  }).observe(box);
  onTheme(() => current()?.redraw());
}
