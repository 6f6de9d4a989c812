import type { Timeline } from '../src/report/document.ts';
import { describeTime } from '../src/svg/reading.ts';
import { describeChart, MARGIN, measurePlot } from '../src/svg/timeChart.ts';
import type { TimeChart } from '../src/svg/timeChartModel.ts';
import { addChartActions } from './chartActions.ts';
import { createScreenReaderElements, HELP_ID, moveCursor } from './cursorKeys.ts';
import { findDot, findDotAt } from './dots.ts';
import { createDrawnChart, type DrawnChart, findChartBox, redraw, selectVisible } from './drawnChart.ts';
import { addLegendButtons } from './legend.ts';
import { Zoom } from './zoom.ts';

/** The minimum width of a selection, in pixels. A narrower selection is treated as a click. */
const MIN_SELECTION = 4;
/** The narrowest and the widest chart that is drawn without scaling, in pixels. */
const WIDTHS = [240, 2000] as const;
/** The highest value of a chart's width that differs from its drawing without a new one, as a factor. */
const TOLERANCE = 1.15;
/** Number of steps of the cursor over the visible range. */
const CURSOR_STEPS = 240;

/** The charts of a page, with their common time. */
export type ChartSource = Pick<Timeline, 'range' | 'marks' | 'columns' | 'more'>;

/** Shows the row of a request. */
export type SelectRow = (row: number) => void;

/** The charts over time of a page. They share the visible range and the cursor. */
export class TimeCharts {
  readonly zoom: Zoom;
  #timeline: ChartSource;
  #charts: readonly DrawnChart[];
  readonly #onSelect: SelectRow;
  readonly #print: MediaQueryList = matchMedia('print');
  readonly #observer: ResizeObserver = new ResizeObserver(() => this.#adaptWidths());
  #announced: HTMLElement | undefined;
  /** The time under the cursor, in seconds. */
  #seconds: number | null = null;

  /**
   * @param further charts of other sections with the same time axis
   * @param onSelect is called with the row of a request whose dot is selected
   */
  constructor(timeline: ChartSource, further: readonly TimeChart[] = [], onSelect: SelectRow = () => {}) {
    this.#onSelect = onSelect;
    this.#timeline = timeline;
    this.zoom = new Zoom(...timeline.range);
    this.#charts = findCharts(timeline, further).map(([chart, box]) => createDrawnChart(chart, box));
    this.zoom.onChange(() => this.#drawAll());
  }

  /** Adds the cursor, the keys and the zoom to the charts that the page contains. */
  takeOver(): void {
    const elements = createScreenReaderElements();
    this.#announced = elements[1];
    document.querySelector('main')!.append(...elements);
    for (const drawn of this.#charts) this.#takeOver(drawn);
    this.#print.addEventListener('change', () => this.#adaptWidths());
    // The change of the medium is reported only after the page is printed.
    addEventListener('beforeprint', () => this.#adaptWidths(true));
  }

  /** Draws later data of the same run. The zoom, the cursor and the kinds of axes stay. */
  update(timeline: ChartSource, further: readonly TimeChart[]): void {
    this.#timeline = timeline;
    const known = new Map(this.#charts.map(drawn => [drawn.box, drawn]));
    this.#charts = findCharts(timeline, further).map(([chart, box]) => {
      const drawn = known.get(box) ?? createDrawnChart(chart, box);
      drawn.chart = chart;
      if (!known.has(box)) this.#takeOver(drawn);
      return drawn;
    });
    const seconds = this.#seconds;
    this.zoom.resize(...timeline.range);
    this.showCursor(seconds);
  }

  #takeOver(drawn: DrawnChart): void {
    addKeys(drawn, this);
    this.#addPointer(drawn);
    addLegendButtons(drawn, () => this.#draw(drawn));
    addChartActions(drawn, () => this.switchAxis(drawn));
    drawn.box.dataset.range = this.zoom.range.join(' ');
    this.#observer.observe(drawn.box);
  }

  /** Moves the cursor by keyboard, and announces the values of the focused chart. */
  moveByKey(drawn: DrawnChart, key: string): boolean {
    const [from, to] = this.zoom.range;
    const step = Math.max(drawn.chart.axis.step, (to - from) / CURSOR_STEPS);
    const count = Math.max(1, Math.floor((to - from) / step + 1e-9));
    const current = this.#seconds === null ? null : Math.round((this.#seconds - from) / step - 0.5);
    const index = moveCursor(key, current, [0, count - 1]);
    if (index === undefined) return false;
    this.showCursor(from + (index + 0.5) * step);
    if (this.#announced) this.#announced.textContent = describeTime(selectVisible(drawn), this.#seconds!);
    return true;
  }

  /** Shows the cursor at a time in all charts; null hides it. */
  showCursor(seconds: number | null): void {
    this.#seconds = seconds;
    const [from, to] = this.zoom.range;
    for (const drawn of this.#charts) {
      const { cursor, reading, box, width } = drawn;
      const isVisible = seconds !== null && seconds >= from && seconds <= to;
      cursor.hidden = !isVisible;
      reading.textContent = isVisible ? describeTime(selectVisible(drawn), seconds) : '';
      if (!isVisible) continue;
      const plot = measurePlot({ width, height: 0 });
      const at = MARGIN.left + ((seconds - from) / (to - from)) * plot.width;
      cursor.style.left = `${(at / width) * box.clientWidth}px`;
    }
  }

  /** Switches the value axis of a chart between linear and logarithmic. */
  switchAxis(drawn: DrawnChart): void {
    drawn.isLog = !drawn.isLog;
    this.#draw(drawn);
  }

  /** Selects the request whose dot is nearest to the cursor. */
  selectAtCursor(drawn: DrawnChart): void {
    if (this.#seconds !== null) this.#select(findDotAt(drawn, this.#seconds));
  }

  #select(row: number | undefined): void {
    if (row !== undefined) this.#onSelect(row);
  }

  #addPointer(drawn: DrawnChart): void {
    const { box, selection } = drawn;
    let start: number | null = null;
    const read = (event: PointerEvent): number => event.clientX - box.getBoundingClientRect().left;
    box.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      start = read(event);
      box.setPointerCapture(event.pointerId);
    });
    box.addEventListener('pointermove', event => {
      const at = read(event);
      this.showCursor(this.#toSeconds(drawn, at));
      selection.hidden = start === null || Math.abs(at - start) < MIN_SELECTION;
      if (start === null) return;
      selection.style.left = `${Math.min(start, at)}px`;
      selection.style.width = `${Math.abs(at - start)}px`;
    });
    box.addEventListener('pointerup', event => {
      const at = read(event);
      const from = start;
      start = null;
      selection.hidden = true;
      if (from === null) return;
      if (Math.abs(at - from) < MIN_SELECTION) {
        this.#select(findDot(drawn, this.zoom.range, at, event.clientY - box.getBoundingClientRect().top));
        return;
      }
      const [low, high] = [Math.min(from, at), Math.max(from, at)];
      this.zoom.set(this.#toSeconds(drawn, low), this.#toSeconds(drawn, high));
    });
    box.addEventListener('pointerleave', () => this.showCursor(null));
    box.addEventListener('dblclick', () => this.zoom.reset());
  }

  /** Returns the time at a position in a box, limited to the visible range. */
  #toSeconds({ box, width }: DrawnChart, at: number): number {
    const [from, to] = this.zoom.range;
    const plot = measurePlot({ width, height: 0 });
    const share = ((at / box.clientWidth) * width - MARGIN.left) / plot.width;
    return from + Math.min(1, Math.max(0, share)) * (to - from);
  }

  #drawAll(): void {
    this.showCursor(null);
    for (const drawn of this.#charts) this.#draw(drawn);
  }

  /** Draws the charts again whose boxes have a width that would make their text too small or too large. */
  #adaptWidths(isPrinted: boolean = this.#print.matches): void {
    for (const drawn of this.#charts) {
      const screenWidth = Math.min(WIDTHS[1], Math.max(WIDTHS[0], drawn.box.clientWidth));
      // The style sheet enlarges the text of printed charts, and fits their height to the page.
      const width = isPrinted ? drawn.writtenWidth : screenWidth;
      if (width / drawn.width < TOLERANCE && drawn.width / width < TOLERANCE) continue;
      drawn.width = width;
      this.#draw(drawn);
    }
  }

  #draw(drawn: DrawnChart): void {
    redraw(drawn, this.#timeline.marks, this.zoom.range);
  }
}

/** Finds the boxes of charts in the page. */
function findCharts(
  { columns, more }: ChartSource,
  further: readonly TimeChart[],
): (readonly [TimeChart, HTMLElement])[] {
  const charts = [...columns.flatMap(column => column.charts), ...more, ...further];
  return charts.flatMap(chart => {
    const box = findChartBox(chart);
    return box ? [[chart, box] as const] : [];
  });
}

/** Makes a chart focusable, and moves its cursor by keyboard. */
function addKeys(drawn: DrawnChart, charts: TimeCharts): void {
  const { box, chart } = drawn;
  // Not `img`, because screen readers would handle the arrow keys themselves.
  const attributes = {
    role: 'application',
    tabindex: '0',
    'aria-roledescription': 'chart',
    'aria-label': describeChart(chart),
    'aria-describedby': HELP_ID,
  };
  for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value);
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'l') charts.switchAxis(drawn);
    else if (event.key === 'Enter') charts.selectAtCursor(drawn);
    else if (!charts.moveByKey(drawn, event.key)) return;
    event.preventDefault();
  });
  box.addEventListener('blur', () => charts.showCursor(null));
}
