import {
  type ChartWidths,
  COLUMN_HEIGHT,
  getWideHeight,
  PAGE_WIDTHS,
  writeCharts,
  writeConclusion,
} from '../src/sweep/html/sweepView.ts';
import { type Choice, createChoice } from '../src/sweep/model/choice.ts';
import { buildSweepView, listCharts, listWideCharts } from '../src/sweep/model/sections.ts';
import type { SweepData } from '../src/sweep/model/sweepData.ts';
import { createChoiceToolbar } from './choiceToolbar.ts';
import { createScreenReaderElements } from './cursorKeys.ts';
import { PointCursor } from './pointCursor.ts';

/** The narrowest chart, in pixels. */
const MIN_WIDTH = 280;
/** Two columns of charts need this width, in pixels. */
const TWO_COLUMNS = 910;

/** Adds the choice of metrics and limits, and the cursor, to the charts that the page contains. */
export function createSweepCharts(data: SweepData): void {
  const box = document.getElementById('charts')!;
  const elements = createScreenReaderElements(
    'The left and right arrow keys move by one point, Page Up and Page Down by a tenth of the points, Home and End to the first and the last one.',
  );
  document.querySelector('main')!.append(...elements);
  let choice = createChoice(data);
  let widths = PAGE_WIDTHS;
  const addCursors = (): void => {
    const view = buildSweepView(data, choice);
    const wide = listWideCharts(view);
    for (const chart of listCharts(view)) {
      const width = wide.has(chart.id) ? widths.wide : widths.column;
      const height = wide.has(chart.id) ? getWideHeight(width) : COLUMN_HEIGHT;
      const element = box.querySelector<HTMLElement>(`[data-chart="${CSS.escape(chart.id)}"]`);
      if (element) new PointCursor(chart, { width, height }, element, elements[1]);
    }
  };
  const draw = (): void => {
    const view = buildSweepView(data, choice);
    // All text in the markup is escaped.
    box.innerHTML = writeCharts(view, widths);
    addCursors();
  };
  document.getElementById('choice')!.append(
    ...createChoiceToolbar(data, choice, (next: Choice) => {
      choice = next;
      document.getElementById('conclusion')!.innerHTML = writeConclusion(
        buildSweepView(data, choice).conclusion,
      );
      draw();
    }),
  );
  addCursors();
  new ResizeObserver(() => {
    const next = measureWidths(box.clientWidth);
    if (next.wide === widths.wide && next.column === widths.column) return;
    widths = next;
    draw();
  }).observe(box);
}

/** Returns the widths of charts for a page width, in steps, so that not each pixel draws them again. */
export function measureWidths(width: number): ChartWidths {
  const round = (value: number): number => Math.max(MIN_WIDTH, Math.round(value / 20) * 20);
  return { wide: round(width), column: round(width < TWO_COLUMNS ? width : width / 2 - 14) };
}
