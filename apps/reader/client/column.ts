/** A table cell: its text, and the value to sort by. */
export interface Cell {
  readonly text: string;
  readonly sort: string | number | null;
  readonly class?: string;
}

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Cell;
}

/** Creates a cell that is sorted by its text. */
export function createTextCell(text: string, className?: string): Cell {
  return className === undefined ? { text, sort: text } : { text, sort: text, class: className };
}
