import { listSeries, type Run, type RunSeries, readStat } from '@org/analysis';
import type { SeriesTable } from './document.ts';

/** The maximum number of rows. More rows would make the page slow to open. */
const MAX_ROWS = 20_000;
/**
 * Significant digits of values. The page shows four digits; with only six digits here, 2714.4996 would be
 * rounded twice, to 2714.50 and then to 2715.
 */
const DIGITS = 9;

/** The title of a number column, followed by statistics. A cell shows the first of these that the series has. */
type NumberColumn = readonly [column: string, ...stats: string[]];

const RATE: NumberColumn = ['rate /s', 'rate', 'count_rate'];
/** The columns of rates that are known only as intervals. */
const RATE_BOUNDS: readonly NumberColumn[] = [
  ['min rate /s', 'rate', 'count_rate'],
  ['max rate /s', 'rate_upper', 'count_rate_upper', 'rate', 'count_rate'],
];

const NUMBER_COLUMNS: readonly NumberColumn[] = [
  ['count', 'count', 'total'],
  RATE,
  ['avg', 'avg'],
  ['min', 'min'],
  ['max', 'max'],
  ['std', 'std'],
  ['p50', 'p50', 'p50_estimate'],
  ['p90', 'p90', 'p90_estimate'],
  ['p99', 'p99', 'p99_estimate'],
];

/** Builds the table of all series, in the order of the run. */
export function buildSeriesTable(run: Run): SeriesTable {
  const texts = new TextIndex();
  const rows: (number | null)[][] = [];
  const numbers = NUMBER_COLUMNS.flatMap(column =>
    column === RATE && run.window?.profilingSeconds ? RATE_BOUNDS : [column],
  );
  for (const series of listSeries(run))
    if (rows.length < MAX_ROWS) rows.push(buildRow(series, numbers, texts));
  return {
    columns: ['metric', 'type', 'endpoint', 'labels', 'unit', ...numbers.map(([column]) => column)],
    texts: texts.texts,
    rows,
    more: run.seriesCount - rows.length,
  };
}

function buildRow(series: RunSeries, numbers: readonly NumberColumn[], texts: TextIndex): (number | null)[] {
  const { name, type, endpoint, labels, unit } = series;
  const labelText = Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(', ');
  return [
    ...[name, type, endpoint, labelText, unit ?? ''].map(text => texts.indexOf(text)),
    ...numbers.map(([, ...stats]) => readFirst(series, stats)),
  ];
}

function readFirst(series: RunSeries, stats: readonly string[]): number | null {
  for (const stat of stats) {
    const value = readStat(series, stat);
    if (value !== undefined && Number.isFinite(value)) return Number(value.toPrecision(DIGITS));
  }
  return null;
}

/** A list of distinct texts. */
class TextIndex {
  readonly texts: string[] = [];
  readonly #indices: Map<string, number> = new Map();

  /** Returns the index of a text, and adds the text if it is new. */
  indexOf(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.#indices.set(text, index);
    }
    return index;
  }
}
