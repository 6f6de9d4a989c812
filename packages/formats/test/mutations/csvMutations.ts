import type { Outcome } from './jsonMutations.ts';

/** A cell of a CSV file, with its section. Rows of a section start with its header. */
export interface Cell {
  readonly section: readonly (readonly string[])[];
  readonly row: number;
  readonly column: number;
  /** The header of the column. */
  readonly name: string;
  readonly text: string;
}

/** A change of a CSV file at one cell: the rows of its section are replaced. */
export interface CsvMutation {
  readonly name: string;
  readonly files?: RegExp;
  readonly when: (cell: Cell) => boolean;
  readonly change: (cell: Cell) => readonly (readonly string[])[];
  readonly outcome: Outcome;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const isNumber = ({ text, row, section }: Cell): boolean =>
  row > 0 && NUMBER.test(text) && section[0]![1] !== 'GPU_Index';
const isBody = ({ row }: Cell): boolean => row > 0;
/** Rows of GPUs in AIPerf's files are not checked. A row of an info metric is one of its labels. */
const isChecked = ({ section }: Cell): boolean =>
  section[0]![1] !== 'GPU_Index' && section[0]!.join() !== 'Endpoint,Metric,Key,Value,Description';
const isFirst = (cell: Cell): boolean => cell.column === 0 && cell.row > 0 && isChecked(cell);
const getCell = ({ section, row }: Cell, name: string): string | undefined =>
  section[row]?.[section[0]!.indexOf(name)];

/** Returns the rows with another text in a cell. */
const setCell =
  (compute: (text: string, cell: Cell) => string) =>
  (cell: Cell): readonly (readonly string[])[] =>
    cell.section.map((row, at) =>
      at === cell.row
        ? row.map((text, column) => (column === cell.column ? compute(text, cell) : text))
        : row,
    );
/** Returns the rows with another row in place of the row of the cell. */
const setRow =
  (compute: (row: readonly string[]) => readonly (readonly string[])[]) =>
  (cell: Cell): readonly (readonly string[])[] =>
    cell.section.flatMap((row, at) => (at === cell.row ? compute(row) : [row]));

/** Statistics in columns: server metrics and profile exports. */
const STATISTIC =
  /^(avg|min|max|std|p\d+|p\d+_estimate|total|rate|rate_avg|rate_min|rate_max|rate_std|count|count_rate|sum|sum_rate|mean|cv|se|ci_low|ci_high)$/;
const SERVER = /server.metrics.*\.csv$/;
const isStatistic = (cell: Cell): boolean => STATISTIC.test(cell.name) && isNumber(cell);
const isServerStatistic = (cell: Cell): boolean =>
  getCell(cell, 'Endpoint') !== undefined && isStatistic(cell);

export const CSV_MUTATIONS: readonly CsvMutation[] = [
  ...['abc', 'NaN', 'inf', '1e999', '0x10', '1,5', '1.2.3', 'true', '--1'].map(
    (text): CsvMutation => ({
      name: `${text} instead of a number`,
      // In AIPerf's files, the mean of an infinite coefficient of variation can be rounded to 0.
      files: text === 'inf' ? /(?<!aiperf)\.csv$/ : /./,
      when: cell => isStatistic(cell) && (text !== 'inf' || Number(getCell(cell, 'mean') ?? 1) !== 0),
      change: setCell(() => text),
      outcome: 'error',
    }),
  ),
  {
    name: 'an integer with a decimal point',
    when: cell => isStatistic(cell) && Number.isInteger(Number(cell.text)),
    change: setCell(text => `${Number(text)}.0`),
    outcome: 'valid',
  },
  {
    name: 'a number with an exponent',
    files: /(?<!aiperf)\.csv$/,
    when: isServerStatistic,
    change: setCell(text => `${text}e0`),
    outcome: 'valid',
  },
  {
    name: 'a negative count, total, rate or spread',
    files: SERVER,
    when: cell =>
      isServerStatistic(cell) &&
      /^(total|rate|rate_min|count|count_rate|std)$/.test(cell.name) &&
      Number(cell.text) > 0,
    change: setCell(text => `-${text}`),
    outcome: 'error',
  },
  {
    name: 'an empty statistic',
    files: SERVER,
    when: cell => isServerStatistic(cell) && /^(avg|min|p50|total|p50_estimate)$/.test(cell.name),
    change: setCell(() => ''),
    outcome: 'error',
  },
  {
    name: 'an average above the maximum',
    when: cell => cell.name === 'avg' && isNumber(cell) && NUMBER.test(getCell(cell, 'max') ?? ''),
    change: setCell((_, cell) => String(Number(getCell(cell, 'max')) * 1.2 + 1)),
    outcome: 'error',
  },
  {
    name: 'a minimum above the maximum',
    when: cell => cell.name === 'min' && isNumber(cell) && NUMBER.test(getCell(cell, 'max') ?? ''),
    change: setCell((_, cell) => String(Number(getCell(cell, 'max')) * 1.2 + 1)),
    outcome: 'error',
  },
  {
    name: 'a median above p99',
    when: cell => cell.name === 'p50' && isNumber(cell) && NUMBER.test(getCell(cell, 'p99') ?? ''),
    change: setCell((_, cell) => String(Number(getCell(cell, 'p99')) * 1.2 + 1)),
    outcome: 'error',
  },
  {
    name: 'a mean outside its confidence interval',
    when: cell => cell.name === 'mean' && isNumber(cell) && NUMBER.test(getCell(cell, 'ci_high') ?? ''),
    change: setCell((_, cell) => String(Number(getCell(cell, 'ci_high')) * 1.2 + 1)),
    outcome: 'error',
  },
  {
    name: 'a count that differs from +Inf',
    when: cell => cell.name === 'count' && /\+Inf=\d/.test(getCell(cell, 'buckets') ?? ''),
    change: setCell(text => String(Number(text) + 1)),
    outcome: 'error',
  },
  {
    name: 'buckets that decrease',
    when: cell => cell.name === 'buckets' && /^[^;]+=\d+;.*\+Inf=\d+$/.test(cell.text),
    change: setCell(text => text.replace(/=\d+;/, '=999999999;')),
    outcome: 'error',
  },
  {
    name: 'buckets without +Inf',
    when: cell => cell.name === 'buckets' && /;\+Inf=\d+$/.test(cell.text),
    change: setCell(text => text.replace(/;\+Inf=\d+$/, '')),
    outcome: 'error',
  },
  {
    name: 'buckets with a colon',
    when: cell => cell.name === 'buckets' && /=/.test(cell.text),
    change: setCell(text => text.replaceAll('=', ':')),
    outcome: 'error',
  },
  {
    name: 'a sum that is twice as large',
    // AIPerf rounds to four decimals.
    files: /server.metrics(?!.*aiperf).*\.csv$/,
    when: cell =>
      cell.name === 'sum' && isNumber(cell) && Number(cell.text) > 0 && getCell(cell, 'avg') !== '',
    change: setCell(text => String(Number(text) * 2)),
    outcome: 'error',
  },
  { name: 'a repeated row', when: isFirst, change: setRow(row => [row, row]), outcome: 'error' },
  {
    name: 'a row with an additional cell',
    when: isFirst,
    change: setRow(row => [[...row, '1']]),
    outcome: 'error',
  },
  {
    name: 'a row without its last cell',
    // Without its only cell, a row is an empty line.
    when: cell => isFirst(cell) && cell.section[cell.row]!.length > 1,
    change: setRow(row => [row.slice(0, -1)]),
    outcome: 'error',
  },
  {
    name: 'another type in a section',
    // The statistics of an unknown metric are the statistics of a gauge.
    when: cell => isBody(cell) && cell.name === 'Type' && cell.text !== 'unknown',
    change: setCell(text => (text === 'gauge' ? 'counter' : 'gauge')),
    outcome: 'error',
  },
  {
    name: 'an unknown statistic in a header',
    files: SERVER,
    when: cell => cell.row === 0 && /^(min|total|count)$/.test(cell.name),
    change: setCell(text => `${text}imum`),
    outcome: 'error',
  },
  {
    name: 'a missing header',
    files: SERVER,
    when: cell => cell.row === 0 && cell.column === 0,
    change: cell => cell.section.slice(1),
    outcome: 'error',
  },
  {
    name: 'rows in another order',
    files: SERVER,
    when: cell => isFirst(cell) && cell.row + 1 < cell.section.length,
    change: cell =>
      cell.section.map(
        (_, at) => cell.section[at === cell.row ? at + 1 : at === cell.row + 1 ? at - 1 : at]!,
      ),
    outcome: 'valid',
  },
  {
    name: 'another description',
    when: cell => isBody(cell) && cell.name === 'Description',
    change: setCell(() => 'Another, "quoted" description'),
    outcome: 'valid',
  },
];
