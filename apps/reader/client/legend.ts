import type { DrawnChart } from './drawnChart.ts';
import { createElement } from './element.ts';

/** Makes the items of a legend buttons that hide and show their lines. `update` is called after each change. */
export function addLegendButtons({ figure, hidden }: DrawnChart, update: () => void): void {
  for (const item of figure.querySelectorAll<HTMLElement>('.legend > li')) {
    const layers = item.dataset.layers!.split(' ');
    const button = createElement('button', { type: 'button', class: 'legend-item', 'aria-pressed': 'true' });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener('click', () => {
      const isShown = hidden.has(layers[0]!);
      for (const layer of layers) {
        if (isShown) hidden.delete(layer);
        else hidden.add(layer);
      }
      button.setAttribute('aria-pressed', String(isShown));
      update();
    });
  }
}
