import type { TimeRange } from '../src/svg/extent.ts';
import { drawTimeChart } from '../src/svg/timeChart.ts';
import type { TimeChart, TimeMarks } from '../src/svg/timeChartModel.ts';
import { createElement } from './element.ts';

/** A chart in the page. */
export interface DrawnChart {
  /** Changes while the run is watched. */
  chart: TimeChart;
  readonly figure: HTMLElement;
  readonly box: HTMLElement;
  readonly reading: HTMLElement;
  readonly cursor: HTMLElement;
  readonly selection: HTMLElement;
  readonly height: number;
  /** The hidden layers by index; `load` is the load. */
  readonly hidden: Set<string>;
  /** The width of the chart in the file of the page and on paper. */
  readonly writtenWidth: number;
  /** The width of the drawing, in its own pixels. */
  width: number;
  isLog: boolean;
}

/** Finds the box of a chart in the page. Returns undefined if the page does not contain it. */
export function findChartBox({ id }: Pick<TimeChart, 'id'>): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`[data-chart="${CSS.escape(id)}"]`) ?? undefined;
}

/** Prepares the drawing of a chart in its box for the cursor and the zoom. */
export function createDrawnChart(chart: TimeChart, box: HTMLElement): DrawnChart {
  const { width, height } = box.querySelector<SVGSVGElement>('svg.drawing')!.viewBox.baseVal;
  const cursor = createElement('div', { class: 'cursor', hidden: true });
  const selection = createElement('div', { class: 'selection', hidden: true });
  box.append(cursor, selection);
  const figure = box.closest('figure')!;
  const reading = figure.querySelector<HTMLElement>('.reading')!;
  const isLog = box.dataset.log !== undefined;
  return {
    chart,
    figure,
    box,
    reading,
    cursor,
    selection,
    height,
    hidden: new Set(),
    writtenWidth: width,
    width,
    isLog,
  };
}

/** Returns the chart without the layers that the user has hidden. */
export function selectVisible({ chart, hidden }: Pick<DrawnChart, 'chart' | 'hidden'>): TimeChart {
  if (hidden.size === 0) return chart;
  const { load, ...rest } = chart;
  return {
    ...rest,
    layers: chart.layers.filter((_, i) => !hidden.has(String(i))),
    ...(load && !hidden.has('load') && { load }),
  };
}

/** Draws a chart again, with the visible range. */
export function redraw(drawn: DrawnChart, marks: TimeMarks, range: TimeRange): void {
  const { box, width, height, isLog } = drawn;
  const template = createElement('template');
  // All text in the drawing is escaped.
  template.innerHTML = drawTimeChart(selectVisible(drawn), marks, { width, height, range, isLog });
  box.querySelector('svg.drawing')!.replaceWith(template.content);
  box.dataset.range = range.join(' ');
}
