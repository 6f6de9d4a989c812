import { describeXyChart, listTargets, type PointTarget } from '../src/svg/xyChart.ts';
import type { XyChart } from '../src/svg/xyChartModel.ts';
import type { DrawingSize } from '../src/svg/xyExtent.ts';
import { HELP_ID, moveCursor } from './cursorKeys.ts';
import { createElement } from './element.ts';

/** A pointer farther away from all points than this reads none, in pixels. */
const MAX_DISTANCE = 60;

/** Reads the points of a chart with the pointer and by keyboard. */
export class PointCursor {
  readonly #box: HTMLElement;
  readonly #targets: readonly PointTarget[];
  readonly #size: DrawingSize;
  readonly #reading: HTMLElement;
  readonly #mark: HTMLElement;
  #index: number | null = null;

  constructor(chart: XyChart, size: DrawingSize, box: HTMLElement, announced: HTMLElement) {
    this.#box = box;
    this.#targets = listTargets(chart, size);
    this.#size = size;
    this.#reading = box.closest('figure')!.querySelector<HTMLElement>('.reading')!;
    this.#mark = createElement('div', { class: 'point-cursor', hidden: true });
    box.append(this.#mark);
    // Not `img`, because screen readers would handle the arrow keys themselves.
    const attributes = {
      role: 'application',
      tabindex: '0',
      'aria-roledescription': 'chart',
      'aria-label': describeXyChart(chart),
      'aria-describedby': HELP_ID,
    };
    for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value);
    box.addEventListener('pointermove', event => this.#show(this.#findNearest(event)));
    box.addEventListener('pointerleave', () => this.#show(null));
    box.addEventListener('blur', () => this.#show(null));
    box.addEventListener('keydown', event => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || this.#targets.length === 0)
        return;
      const index = moveCursor(event.key, this.#index, [0, this.#targets.length - 1]);
      if (index === undefined) return;
      this.#show(index);
      announced.textContent = this.#targets[index]!.text;
      event.preventDefault();
    });
  }

  #findNearest({ clientX, clientY }: PointerEvent): number | null {
    const { left, top, width } = this.#box.getBoundingClientRect();
    const scale = this.#size.width / width;
    const [x, y] = [(clientX - left) * scale, (clientY - top) * scale];
    let nearest: number | null = null;
    let least = MAX_DISTANCE;
    for (const [i, target] of this.#targets.entries()) {
      const distance = Math.hypot(target.left - x, target.top - y);
      if (distance < least) [nearest, least] = [i, distance];
    }
    return nearest;
  }

  #show(index: number | null): void {
    this.#index = index;
    const target = index === null ? undefined : this.#targets[index];
    this.#mark.hidden = target === undefined;
    this.#reading.textContent = target?.text ?? '';
    if (!target) return;
    const scale = this.#box.clientWidth / this.#size.width;
    this.#mark.style.left = `${target.left * scale}px`;
    this.#mark.style.top = `${target.top * scale}px`;
  }
}
