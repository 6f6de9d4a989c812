import { createElement } from './element.ts';

/** The sections after the charts of client and servers. */
const FOLDED = ['time', 'distributions', 'replicas', 'requests', 'more-metrics'];
const PHONE = matchMedia('(max-width: 600px)');

/** Folds the sections after the first charts while the page is as narrow as a phone. A heading unfolds its section. */
export class PhoneFolds {
  readonly #unfolded = new Set<string>();

  constructor() {
    PHONE.addEventListener('change', () => this.update());
    this.update();
  }

  /** Folds the sections of the page again, after sections were added or changed, or the width has changed. */
  update(): void {
    for (const id of FOLDED) {
      const heading = document.querySelector<HTMLElement>(`#${id} > h2`);
      if (!heading) continue;
      const title = heading.textContent;
      heading.replaceChildren(PHONE.matches ? this.#createButton(id, title) : title);
      this.#show(id);
    }
  }

  #createButton(id: string, title: string): HTMLButtonElement {
    const button = createElement('button', { type: 'button', class: 'unfold' }, title);
    button.addEventListener('click', () => {
      if (!this.#unfolded.delete(id)) this.#unfolded.add(id);
      this.#show(id);
    });
    return button;
  }

  #show(id: string): void {
    const section = document.getElementById(id)!;
    const isFolded = PHONE.matches && !this.#unfolded.has(id);
    section.classList.toggle('folded', isFolded);
    section.querySelector('.unfold')?.setAttribute('aria-expanded', String(!isFolded));
  }
}

/** Unfolds the section of the page that contains an element, if it is folded. */
export function unfoldAround(element: Element): void {
  element.closest('.folded')?.querySelector<HTMLButtonElement>('.unfold')?.click();
}
