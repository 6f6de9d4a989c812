import type { ReportDocument } from '../report/document.ts';
import { listRunSections } from '../report/html/runPage.ts';
import { toPageData } from '../report/page.ts';
import type { LiveStatus, LiveUpdate } from './liveUpdate.ts';

/** A part of the page, as text, with the version of its last change. */
interface Part {
  readonly text: string;
  readonly version: number;
}

/** The fields of the data of a page, which the script uses. */
const DATA_FIELDS = ['endpoints', 'series', 'client', 'timeline', 'requests'] as const;

/** The parts of the page of a run, and when each of them changed. */
export class PageParts {
  #version = 0;
  #order: readonly string[] = [];
  readonly #sections = new Map<string, Part>();
  readonly #data = new Map<string, Part>();

  /** Increases with each change. */
  get version(): number {
    return this.#version;
  }

  /** Replaces the parts with the parts of a new report. */
  update(report: ReportDocument): void {
    const sections = listRunSections(report, true);
    const data = toPageData(report);
    const next = this.#version + 1;
    let hasChanged = false;
    const set = (parts: Map<string, Part>, name: string, text: string): void => {
      if (parts.get(name)?.text === text) return;
      parts.set(name, { text, version: next });
      hasChanged = true;
    };
    for (const { id, markup } of sections) set(this.#sections, id, markup);
    for (const field of DATA_FIELDS) set(this.#data, field, JSON.stringify(data[field] ?? null));
    this.#order = sections.map(({ id }) => id);
    if (hasChanged) this.#version = next;
  }

  /** Returns the parts that changed after a version. */
  createUpdate(after: number, status: LiveStatus): LiveUpdate {
    const select = (parts: ReadonlyMap<string, Part>): [string, string][] =>
      [...parts].flatMap(([name, { text, version }]) => (version > after ? [[name, text]] : []));
    return {
      version: this.#version,
      status,
      order: this.#order,
      sections: Object.fromEntries(select(this.#sections).filter(([id]) => this.#order.includes(id))),
      data: Object.fromEntries(select(this.#data).map(([name, text]) => [name, JSON.parse(text)])),
    };
  }
}
