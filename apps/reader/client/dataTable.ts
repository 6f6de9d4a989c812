import { formatCount } from '@org/core';
import type { Column } from './column.ts';
import { createCopyButton } from './copyButton.ts';
import { createButton, createElement, createScrollBox } from './element.ts';

/** The sort column and direction. */
export interface SortOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

/** The number of rows shown initially, and the number of rows that the button adds. */
const ROWS_PER_PAGE = 200;

/** Tables with fewer rows have no filter. */
const MIN_FILTERED_ROWS = 6;

/**
 * Creates a table that can be sorted by its columns and filtered by text. `label` describes the table to screen
 * readers.
 */
export function createDataTable<Row>(
  id: string,
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): HTMLElement {
  return createSelectableTable(id, label, columns, rows).element;
}

/** A table whose rows can be selected by the page. */
interface SelectableTable<Row> {
  readonly element: HTMLElement;
  /** Scrolls to a row and marks it. A filter that hides the row is removed. */
  readonly select: (row: Row) => void;
}

/** Creates a data table that can scroll to a row. */
export function createSelectableTable<Row>(
  id: string,
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): SelectableTable<Row> {
  const selection = new RowSelection(columns, rows);
  let limit = ROWS_PER_PAGE;
  const filter = createElement('input', { id: `${id}-filter`, type: 'search', autocomplete: 'off' });
  const rowCount = createElement('output', { 'aria-live': 'polite' });
  const body = createElement('tbody');
  const update = (): void => {
    const selected = selection.rows;
    body.replaceChildren(...selected.slice(0, limit).map(row => createRow(columns, row)));
    const total = formatCount(rows.length, 'row');
    rowCount.textContent = selected.length === rows.length ? total : `${selected.length} of ${total}`;
    moreButton.hidden = selected.length <= limit;
  };
  const moreButton = createButton(`Show ${ROWS_PER_PAGE} more rows`, () => {
    limit += ROWS_PER_PAGE;
    update();
  });
  const headers = columns.map(({ name, isNumber }, i) => {
    const button = createButton(name, () => {
      selection.sortBy(i);
      for (const [column, head] of headers.entries()) markOrder(head, column, selection.order);
      limit = ROWS_PER_PAGE;
      update();
    });
    button.className = 'sort';
    return createElement('th', { scope: 'col', class: isNumber && 'number' }, button);
  });
  filter.addEventListener('input', () => {
    selection.filterBy(filter.value);
    limit = ROWS_PER_PAGE;
    update();
  });
  const select = (row: Row): void => {
    if (!selection.rows.includes(row)) {
      filter.value = '';
      selection.filterBy('');
    }
    const index = selection.rows.indexOf(row);
    limit = Math.max(limit, index + 1);
    update();
    markRow(body.rows[index]!);
  };
  update();
  const element = createElement(
    'div',
    { id },
    createElement(
      'div',
      { class: 'toolbar', hidden: rows.length < MIN_FILTERED_ROWS },
      createElement('label', { for: `${id}-filter` }, 'Filter'),
      filter,
      rowCount,
      createCopyButton(columns, () => selection.rows),
    ),
    createScrollBox(
      label,
      createElement(
        'table',
        { class: 'data' },
        createElement('caption', { class: 'visually-hidden' }, label),
        createElement('thead', {}, createElement('tr', {}, ...headers)),
        body,
      ),
    ),
    moreButton,
  );
  return { element, select };
}

/** Marks a row, and moves the focus to it so that screen readers read it. */
function markRow(row: HTMLTableRowElement): void {
  row.setAttribute('aria-current', 'true');
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'center' });
}

/** Filters and sorts the rows of a table. */
export class RowSelection<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #allRows: readonly Row[];
  /** Cache of the lower-case text of rows. */
  readonly #texts: Map<Row, string> = new Map();
  #words: readonly string[] = [];
  #order: SortOrder | undefined;
  #rows: readonly Row[];

  constructor(columns: readonly Column<Row>[], rows: readonly Row[]) {
    this.#columns = columns;
    this.#allRows = rows;
    this.#rows = rows;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get order(): SortOrder | undefined {
    return this.#order;
  }

  /** Selects the rows that contain every word of `text` in any column, ignoring case. */
  filterBy(text: string): void {
    this.#words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#select();
  }

  /** Sorts by a column: numbers in descending order, text in ascending order. A second call reverses the order. */
  sortBy(column: number): void {
    const isDescending =
      this.#order?.column === column ? !this.#order.isDescending : this.#columns[column]!.isNumber === true;
    this.#order = { column, isDescending };
    this.#select();
  }

  #select(): void {
    const matches = this.#allRows.filter(row => this.#words.every(word => this.#getText(row).includes(word)));
    if (this.#order) {
      const { column, isDescending } = this.#order;
      const { cell } = this.#columns[column]!;
      matches.sort((a, b) => compareValues(cell(a).sort, cell(b).sort, isDescending));
    }
    this.#rows = matches;
  }

  #getText(row: Row): string {
    let text = this.#texts.get(row);
    if (text === undefined) {
      text = this.#columns
        .map(({ cell }) => cell(row).text)
        .join(' ')
        .toLowerCase();
      this.#texts.set(row, text);
    }
    return text;
  }
}

/** Compares two values for sorting. Missing values come last in both directions. */
function compareValues(a: string | number | null, b: string | number | null, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return isDescending ? -order : order;
}

function markOrder(head: HTMLElement, column: number, order: SortOrder | undefined): void {
  if (order?.column === column)
    head.setAttribute('aria-sort', order.isDescending ? 'descending' : 'ascending');
  else head.removeAttribute('aria-sort');
}

function createRow<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  return createElement(
    'tr',
    {},
    ...columns.map(({ name, cell, isNumber }) => {
      const { text, class: className } = cell(row);
      const classes = [isNumber && 'number', className].filter(Boolean).join(' ');
      return createElement('td', { class: classes === '' ? undefined : classes, 'data-name': name }, text);
    }),
  );
}
