import type uPlot from 'uplot';
import { createElement } from './element.ts';

/** The indices of the first and the last visible point. */
export type PointRange = readonly [first: number, last: number];

/**
 * Finds the points between two values, inclusive. Returns undefined if there are none. `points` must be in
 * ascending order.
 */
export function findPointRange(points: ArrayLike<number>, from: number, to: number): PointRange | undefined {
  let first = 0;
  while (first < points.length && points[first]! < from) first++;
  let last = points.length - 1;
  while (last >= first && points[last]! > to) last--;
  return last < first ? undefined : [first, last];
}

/** The fraction of the visible points that Page Up and Page Down move by. */
const PAGE_FRACTION = 0.1;

/**
 * Returns the index of the cursor after a key press, with the keys of a slider (WAI-ARIA Authoring Practices
 * 1.2, "Slider"): arrows move by one point, Page Up and Page Down by a tenth, Home and End to the ends. If
 * there is no cursor, forward keys start before the first point and backward keys after the last point. Returns
 * undefined for other keys.
 */
export function moveCursor(key: string, index: number | null, [first, last]: PointRange): number | undefined {
  const page = Math.max(1, Math.round((last - first + 1) * PAGE_FRACTION));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    PageUp: page,
    PageDown: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  const step = Object.hasOwn(steps, key) ? steps[key]! : undefined;
  if (step === undefined) return undefined;
  const start = index ?? (step > 0 ? first - 1 : last + 1);
  return Math.min(last, Math.max(first, start + step));
}

const HELP_ID = 'chart-keys';
const HELP =
  'The left and right arrow keys move by one point, Page Up and Page Down by a tenth of the chart, Home and End to its ends.';

/** The live region. Screen readers announce changes to its text. */
let liveRegion: HTMLElement | undefined;

/**
 * Creates the hidden help text that charts refer to, and the live region for values. A page with charts must
 * contain each of them once.
 */
export function createScreenReaderElements(): HTMLElement[] {
  liveRegion = createElement('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  return [createElement('p', { class: 'visually-hidden', id: HELP_ID }, HELP), liveRegion];
}

/** Creates the focusable box of a chart. `label` describes the chart to screen readers. */
export function createChartBox(label: string): HTMLElement {
  return createElement('div', {
    class: 'chart',
    // Not `img`, because screen readers would handle the arrow keys themselves.
    role: 'application',
    tabindex: 0,
    'aria-roledescription': 'chart',
    'aria-label': label,
    'aria-describedby': HELP_ID,
  });
}

/**
 * Moves the cursor of a chart by keyboard over the visible points, and announces the text that `describe`
 * returns for a point. `getLinkedCharts` returns the charts that share the cursor.
 */
export function enableCursorKeys(
  box: HTMLElement,
  chart: uPlot,
  describe: (index: number) => string,
  getLinkedCharts: () => readonly uPlot[] = () => [chart],
): void {
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const { min, max } = chart.scales.x!;
    const visible = findPointRange(chart.data[0], min ?? -Infinity, max ?? Infinity);
    const index = visible && moveCursor(event.key, chart.cursor.idx ?? null, visible);
    if (index === undefined) return;
    event.preventDefault();
    for (const linked of getLinkedCharts()) showCursor(linked, index);
    if (liveRegion) liveRegion.textContent = describe(index);
  });
  box.addEventListener('blur', () => {
    for (const linked of getLinkedCharts()) linked.setCursor({ left: -10, top: -10 });
  });
}

/** Shows the cursor at a point of the first line, or at the top if the line has no value there. */
function showCursor(chart: uPlot, index: number): void {
  const [xs, ys] = chart.data;
  const value = ys?.[index];
  const top = value == null ? 0 : chart.valToPos(value, 'y');
  // Rounding may move a point at the edge slightly outside the chart, which would hide the cursor.
  chart.setCursor({ left: Math.max(0, chart.valToPos(xs[index]!, 'x')), top: Math.max(0, top) });
}
