import type { RunPageData } from '../src/report/page.ts';
import { createClientTable } from './clientSections.ts';
import { unfoldAround } from './phoneFolds.ts';
import {
  addRequestTable,
  createRequestTable,
  describeRequestTable,
  type RequestTable,
} from './requestTable.ts';
import { createEndpointTable, createSeriesTable } from './tableSections.ts';

/** Shows later data in the tables of the page. Folded tables are filled when they are unfolded. */
export class LiveTables {
  #data: RunPageData;
  /** The data that each table shows. */
  readonly #shown = new WeakMap<HTMLDetailsElement, RunPageData>();
  #requests: RequestTable | undefined;

  constructor(data: RunPageData) {
    this.#data = data;
    this.#follow();
  }

  update(data: RunPageData): void {
    this.#data = data;
    this.#follow();
    const title = document.querySelector('#request-rows summary');
    if (title && data.requests) title.textContent = describeRequestTable(data.requests);
    for (const table of listTables()) if (table.open && !hasSelection(table)) this.#fill(table);
  }

  /** Shows the row of a request. */
  showRequest(index: number): void {
    const table = document.querySelector<HTMLDetailsElement>('#request-rows details');
    if (!table) return;
    unfoldAround(table);
    table.open = true;
    this.#fill(table);
    this.#requests?.select(index);
  }

  /** Adds the table of requests once there are requests, and follows tables that are new. */
  #follow(): void {
    const { requests } = this.#data;
    if (requests && document.getElementById('request-rows')?.childElementCount === 0)
      addRequestTable(requests);
    for (const table of listTables()) {
      if (this.#shown.has(table)) continue;
      this.#shown.set(table, this.#data);
      this.#fill(table);
      table.addEventListener('toggle', () => {
        if (table.open) this.#fill(table);
      });
    }
  }

  #fill(table: HTMLDetailsElement): void {
    const isRequestTable = table.parentElement?.id === 'request-rows';
    if (this.#shown.get(table) === this.#data && (!isRequestTable || this.#requests)) return;
    const content = isRequestTable ? this.#createRequestTable() : this.#create(table.id);
    if (content.length === 0) return;
    const state = readState(table);
    table.replaceChildren(table.querySelector('summary')!, ...content);
    restoreState(table, state);
    this.#shown.set(table, this.#data);
  }

  #createRequestTable(): readonly HTMLElement[] {
    const { requests } = this.#data;
    this.#requests = requests && createRequestTable(requests);
    return this.#requests?.content ?? [];
  }

  /** Creates the content of a table; nothing if it does not change during a run. */
  #create(id: string): readonly HTMLElement[] {
    const { client, endpoints, series } = this.#data;
    if (id === 'endpoints') return [createEndpointTable(endpoints)];
    if (id === 'series') return createSeriesTable(series);
    return id === 'client' && client ? [createClientTable(client)] : [];
  }
}

function listTables(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('#tables > details, #request-rows > details')];
}

/** Reports whether a row is selected. It would be lost in a new table. */
function hasSelection(table: HTMLElement): boolean {
  return table.querySelector('tbody [aria-current]') !== null;
}

/** The choices of a user in a table. */
interface TableState {
  readonly filter: string;
  /** The index of the column and the direction that the table is sorted by. */
  readonly sorted: readonly [column: number, order: string] | undefined;
  readonly scroll: readonly [left: number, top: number];
  /** The index of the focused element among those that can be focused. */
  readonly focused: number;
}

const FOCUSABLE = 'input, button, .scroll';

function readState(table: HTMLElement): TableState {
  const heads = [...table.querySelectorAll('thead th')];
  const column = heads.findIndex(head => head.hasAttribute('aria-sort'));
  const box = table.querySelector('.scroll');
  return {
    filter: table.querySelector('input')?.value ?? '',
    sorted: column < 0 ? undefined : [column, heads[column]!.getAttribute('aria-sort')!],
    scroll: [box?.scrollLeft ?? 0, box?.scrollTop ?? 0],
    focused: [...table.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement!),
  };
}

function restoreState(table: HTMLElement, { filter, sorted, scroll, focused }: TableState): void {
  const input = table.querySelector('input');
  if (input && filter !== '') {
    input.value = filter;
    input.dispatchEvent(new Event('input'));
  }
  if (sorted) sortBy(table, ...sorted);
  const box = table.querySelector('.scroll');
  if (box) [box.scrollLeft, box.scrollTop] = scroll;
  if (focused >= 0) [...table.querySelectorAll<HTMLElement>(FOCUSABLE)][focused]?.focus();
}

/** Sorts a table as a user would: the first click sorts by the column, the second one reverses the order. */
function sortBy(table: HTMLElement, column: number, order: string): void {
  const head = table.querySelectorAll('thead th')[column];
  const button = head?.querySelector('button');
  button?.click();
  if (head?.getAttribute('aria-sort') !== order) button?.click();
}
