import { formatCount } from '@org/core';
import { element } from './element.ts';

/** A cell: its text, and the value to sort by. */
export interface Cell {
  readonly text: string;
  readonly sort: string | number | null;
  readonly class?: string;
}

export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Cell;
}

const PAGE = 200;

/** With fewer rows, a filter is not needed. */
const MIN_FILTERED_ROWS = 6;

/**
 * A table that sorts by its columns and, from a minimum of rows, filters by a text. It shows the first rows,
 * and more on request.
 */
export function dataTable<Row>(
  id: string,
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): HTMLElement {
  let shown = [...rows];
  let limit = PAGE;
  let sortedBy: { readonly column: number; readonly down: boolean } | undefined;
  const filter = element('input', { id: `${id}-filter`, type: 'search', autocomplete: 'off' });
  const count = element('output', { 'aria-live': 'polite' });
  const body = element('tbody');
  const more = element('button', { type: 'button' }, `Show ${PAGE} more`);
  const heads = columns.map(({ name, isNumber }, i) => {
    const button = element('button', { type: 'button', class: 'sort' }, name);
    button.addEventListener('click', () => sortBy(i));
    return element('th', { scope: 'col', class: isNumber && 'number' }, button);
  });
  const texts = new Map<Row, string>();
  const formatText = (row: Row): string => {
    let text = texts.get(row);
    if (text === undefined) {
      text = columns
        .map(({ cell }) => cell(row).text)
        .join(' ')
        .toLowerCase();
      texts.set(row, text);
    }
    return text;
  };

  const draw = (): void => {
    body.replaceChildren(...shown.slice(0, limit).map(row => rowOf(columns, row)));
    const all = formatCount(rows.length, 'row');
    count.textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`;
    more.hidden = shown.length <= limit;
  };
  const select = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter(row => words.every(word => formatText(row).includes(word)));
    if (sortedBy) {
      const { column, down } = sortedBy;
      const { cell } = columns[column]!;
      shown.sort((a, b) => compare(cell(a).sort, cell(b).sort, down));
    }
    limit = PAGE;
    draw();
  };
  const sortBy = (column: number): void => {
    // Numbers are sorted in descending order first, text in ascending order.
    const first = columns[column]!.isNumber === true;
    sortedBy = { column, down: sortedBy?.column === column ? !sortedBy.down : first };
    for (const [i, head] of heads.entries())
      if (i === column) head.setAttribute('aria-sort', sortedBy.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    select();
  };
  filter.addEventListener('input', select);
  more.addEventListener('click', () => {
    limit += PAGE;
    draw();
  });
  draw();
  return element(
    'div',
    { id },
    element(
      'div',
      { class: 'toolbar', hidden: rows.length < MIN_FILTERED_ROWS },
      element('label', { for: `${id}-filter` }, 'Contains'),
      filter,
      count,
    ),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
      element(
        'table',
        {},
        element('caption', { class: 'spoken' }, label),
        element('thead', {}, element('tr', {}, ...heads)),
        body,
      ),
    ),
    more,
  );
}

function rowOf<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  return element(
    'tr',
    {},
    ...columns.map(({ cell, isNumber }) => {
      const { text, class: own } = cell(row);
      const classes = [isNumber && 'number', own].filter(Boolean).join(' ');
      return element('td', { class: classes === '' ? undefined : classes }, text);
    }),
  );
}

/** Missing values come last in both orders. */
function compare(a: string | number | null, b: string | number | null, down: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return down ? -order : order;
}
