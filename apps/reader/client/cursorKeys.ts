import type uPlot from 'uplot';
import { findPointRange, moveCursor } from '../src/report/cursorKeys.ts';
import { element } from './element.ts';

const HELP = 'chart-keys';

/** A live region: screen readers announce its changes. */
const told = element('p', { class: 'spoken', 'aria-live': 'polite' });

/** The help text that charts refer to, and the region that announces values; once on a page with charts. */
export function readingAids(): HTMLElement[] {
  const help =
    'Left and right arrow keys move by one point, Page Up and Page Down by a tenth of the chart, Home and End to its ends.';
  return [element('p', { class: 'spoken', id: HELP }, help), told];
}

/** Creates a box for a chart that can be read by keyboard. `label` describes its content. */
export function chartBox(label: string): HTMLElement {
  return element('div', {
    class: 'chart',
    // Not `img`: screen readers handle arrow keys themselves there.
    role: 'application',
    tabindex: 0,
    'aria-roledescription': 'chart',
    'aria-label': label,
    'aria-describedby': HELP,
  });
}

/**
 * Moves the cursor of a chart by keyboard over the visible points, and announces the text that `read` returns.
 * `together` are the charts that share the cursor.
 */
export function readByKeys(
  box: HTMLElement,
  chart: uPlot,
  read: (index: number) => string,
  together: () => readonly uPlot[] = () => [chart],
): void {
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const { min, max } = chart.scales.x!;
    const stretch = findPointRange(chart.data[0], min ?? -Infinity, max ?? Infinity);
    const to = stretch && moveCursor(event.key, chart.cursor.idx ?? null, stretch);
    if (to === undefined) return;
    event.preventDefault();
    for (const one of together()) moveTo(one, to);
    told.textContent = read(to);
  });
  box.addEventListener('blur', () => {
    for (const one of together()) one.setCursor({ left: -10, top: -10 });
  });
}

/** Moves the cursor to the point of the first line, or to the top if there is none. */
function moveTo(chart: uPlot, index: number): void {
  const [xs, ys] = chart.data;
  const value = ys?.[index];
  const top = value == null ? 0 : chart.valToPos(value, 'y');
  // Rounding may put a point at the edge slightly outside, which would hide the cursor.
  chart.setCursor({ left: Math.max(0, chart.valToPos(xs[index]!, 'x')), top: Math.max(0, top) });
}
