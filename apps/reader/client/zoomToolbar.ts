import type { Timeline } from '../src/report/document.ts';
import { formatTime } from '../src/svg/ticks.ts';
import { createButton, createElement } from './element.ts';
import type { Zoom } from './zoom.ts';

/** Adds the buttons that zoom all charts, and keeps the range in the address of the page. */
export function createZoomToolbar(box: HTMLElement, zoom: Zoom, { start }: Pick<Timeline, 'start'>): void {
  const range = createElement('output', { 'aria-live': 'polite', title: `0 s is ${start}` });
  const update = (): void => {
    range.textContent = zoom.range.map(formatTime).join(' to ');
  };
  zoom.onChange(update);
  update();
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Zoom of all time charts');
  box.append(
    createButton('Zoom in', () => zoom.scaleBy(0.5)),
    createButton('Zoom out', () => zoom.scaleBy(2)),
    createButton('Earlier', () => zoom.moveBy(-0.5)),
    createButton('Later', () => zoom.moveBy(0.5)),
    createButton('Whole run', () => zoom.reset()),
    range,
  );
  followAddress(zoom);
}

/** Shows the range in the address, such as `#t=16-19`, and writes the range of a zoom into it. */
function followAddress(zoom: Zoom): void {
  const read = (): void => {
    const found = parseRange(location.hash);
    if (found) zoom.set(...found);
  };
  addEventListener('hashchange', () => {
    read();
    if (parseRange(location.hash)) document.getElementById('timeline')!.scrollIntoView();
  });
  read();
}

/** Parses a range of time in an address, such as `#t=16-19.5` or `#t=-5-3`. Returns undefined for other addresses. */
export function parseRange(hash: string): [from: number, to: number] | undefined {
  const match = /^#t=(-?[\d.]+)-(-?[\d.]+)$/.exec(hash);
  if (!match) return undefined;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return Number.isFinite(from) && to > from ? [from, to] : undefined;
}
