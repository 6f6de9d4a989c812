import { createElement } from './element.ts';

/** The indices of the first and the last visible point. */
export type PointRange = readonly [first: number, last: number];

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

/** The ID of the help text that charts refer to. */
export const HELP_ID = 'chart-keys';
const HELP =
  'The left and right arrow keys move by one point, Page Up and Page Down by a tenth of the chart, Home and End to its ends. L switches between a linear and a logarithmic axis. Enter shows the request nearest to the cursor, in charts with dots.';

/**
 * Creates the hidden help text that charts refer to, and the live region whose text screen readers announce. A page
 * with charts must contain each of them once.
 */
export function createScreenReaderElements(
  help: string = HELP,
): [help: HTMLElement, liveRegion: HTMLElement] {
  return [
    createElement('p', { class: 'visually-hidden', id: HELP_ID }, help),
    createElement('p', { class: 'visually-hidden', 'aria-live': 'polite' }),
  ];
}
