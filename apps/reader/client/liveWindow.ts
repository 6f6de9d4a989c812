import type { Timeline } from '../src/report/document.ts';
import { createElement } from './element.ts';
import type { Zoom } from './zoom.ts';

const LAST_SECONDS = 300;

/** The time that the charts of an active run show: the last five minutes, the whole run, or a range that was zoomed to. */
export class LiveWindow {
  readonly #select: HTMLSelectElement = createElement('select', { id: 'live-window' });
  /** The range that was shown last, to notice a zoom. */
  #shown: readonly [number, number] | undefined;

  /** Creates the choice of the window. */
  createChoice(onChange: () => void): HTMLElement {
    for (const [value, text] of [
      ['whole', 'Whole run'],
      ['last', 'Last 5 min'],
    ] as const)
      this.#select.append(createElement('option', { value }, text));
    this.#select.addEventListener('change', onChange);
    return createElement('label', {}, 'Charts show ', this.#select);
  }

  /** Shows the window that was just chosen. */
  choose(zoom: Zoom, timeline: Pick<Timeline, 'range'>): void {
    this.#shown = undefined;
    if (this.#select.value === 'last') this.follow(zoom, timeline);
    else zoom.reset();
  }

  /** Moves the last five minutes with the run, unless the user has zoomed since. The whole run grows by itself. */
  follow(zoom: Zoom, { range: [from, to] }: Pick<Timeline, 'range'>): void {
    if (this.#select.value !== 'last' || (this.#shown && !isSame(this.#shown, zoom.range))) return;
    zoom.set(Math.max(from, to - LAST_SECONDS), to);
    this.#shown = zoom.range;
  }
}

function isSame(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
