import morphdom from 'morphdom';
import type { LiveUpdate } from '../src/watch/liveUpdate.ts';
import { createElement } from './element.ts';

/** The types of the package describe its CommonJS build, and this is its ES module. */
const morph = morphdom as unknown as typeof morphdom.default;

/** Parts of a section that the script of the page has added. */
const OWN_PARTS = '#zoom, #request-rows, details.fold';
/** A chart whose drawing, legend and buttons the script of the page takes over. */
const CHART = 'figure.time';

/**
 * Brings the sections of the page to a later state. Elements that did not change stay, so that the focus, folded parts,
 * selections and positions of scrolling stay, too.
 */
export class SectionSwap {
  /** The titles and legends of charts as they were written, before the script added buttons. */
  readonly #captions = new WeakMap<Element, string>();

  constructor() {
    this.#readCaptions();
  }

  /** Shows the changed sections. The charts that stay must be drawn again. */
  swap({ order, sections }: Pick<LiveUpdate, 'order' | 'sections'>): void {
    const main = document.getElementById('main')!;
    for (const section of main.querySelectorAll(':scope > section'))
      if (!order.includes(section.id)) section.remove();
    let previous: Element | undefined;
    for (const id of order) {
      const markup = sections[id];
      const shown = document.getElementById(id);
      const section = markup === undefined ? shown : this.#change(shown, parse(markup));
      if (section?.tagName !== 'SECTION') continue;
      if (!section.isConnected && previous) previous.after(section);
      else if (!section.isConnected) main.prepend(section);
      previous = section;
    }
    this.#readCaptions();
  }

  #change(shown: Element | null, next: Element): Element {
    if (!shown) return next;
    return morph(shown, next, {
      onBeforeElUpdated: (from, to) => {
        if (from.matches(OWN_PARTS)) return false;
        if (from.matches(CHART)) return this.#changeChart(from, to);
        if (from instanceof HTMLDetailsElement && to instanceof HTMLDetailsElement) to.open = from.open;
        return !from.isEqualNode(to);
      },
      onBeforeNodeDiscarded: node => !(node instanceof Element && node.matches('details.fold')),
    }) as Element;
  }

  /** Replaces a chart with another title or legend. Otherwise, only its drawing changes, which is not done here. */
  #changeChart(from: Element, to: Element): false {
    if (this.#captions.get(from) !== readCaption(to)) from.replaceWith(to.cloneNode(true));
    return false;
  }

  #readCaptions(): void {
    for (const chart of document.querySelectorAll(CHART))
      if (!this.#captions.has(chart)) this.#captions.set(chart, readCaption(chart));
  }
}

function readCaption(chart: Element): string {
  return chart.querySelector('figcaption')!.outerHTML;
}

/** Parses markup of the server, whose text is escaped. Scripts in it would not run. */
function parse(markup: string): Element {
  const template = createElement('template');
  template.innerHTML = markup;
  return template.content.firstElementChild!;
}
