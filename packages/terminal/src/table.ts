import Table from 'cli-table3';

/** A column of a table. */
export interface TableColumn {
  /** Width in terminal columns, including padding. */
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** The spacing of a table. */
export interface TableLayout {
  /** Text between two columns. */
  readonly gap?: string;
  /** Number of spaces before each cell. */
  readonly paddingLeft?: number;
}

/** Renders rows as a table without borders and without trailing spaces. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { gap = '', paddingLeft = 0 }: TableLayout = {},
): string {
  const table = new Table({
    chars: { ...NO_BORDERS, middle: gap },
    style: { head: [], border: [], compact: true, 'padding-left': paddingLeft, 'padding-right': 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n');
}

/** Empty border characters for cli-table3. */
const NO_BORDERS: Readonly<Record<string, string>> = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap(side => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat(['left-mid', 'mid-mid', 'right-mid'])
    .map(name => [name, '']),
);
