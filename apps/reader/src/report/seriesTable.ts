import { listSeries, type Run, type RunSeries, readStat } from '@org/analysis';
import type { SeriesTable } from './document.ts';

/** The maximum number of rows; with more, a browser takes long to open the page. */
const MAX_ROWS = 20_000;
/**
 * More than the four digits shown, to avoid rounding twice: 2714.4996 in six digits would be 2714.50, and then
 * 2715.
 */
const DIGITS = 9;

/** The number columns, each with its statistics; the first one that a series has is shown. */
const FIGURES: readonly (readonly [column: string, ...stats: string[]])[] = [
  ['count', 'count', 'total'],
  ['rate /s', 'rate', 'count_rate'],
  ['avg', 'avg'],
  ['min', 'min'],
  ['max', 'max'],
  ['std', 'std'],
  ['p50', 'p50', 'p50_estimate'],
  ['p90', 'p90', 'p90_estimate'],
  ['p99', 'p99', 'p99_estimate'],
];

/** Builds the table of all series of a run, in its order. */
export function buildSeriesTable(run: Run): SeriesTable {
  const texts = new Texts();
  const rows: (number | null)[][] = [];
  for (const series of listSeries(run)) if (rows.length < MAX_ROWS) rows.push(buildRow(series, texts));
  return {
    columns: ['metric', 'type', 'endpoint', 'labels', 'unit', ...FIGURES.map(([column]) => column)],
    texts: texts.all,
    rows,
    more: run.seriesCount - rows.length,
  };
}

function buildRow(series: RunSeries, texts: Texts): (number | null)[] {
  const { name, type, endpoint, labels, unit } = series;
  const labelText = Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(', ');
  return [
    ...[name, type, endpoint, labelText, unit ?? ''].map(text => texts.indexOf(text)),
    ...FIGURES.map(([, ...stats]) => readFirst(series, stats)),
  ];
}

function readFirst(series: RunSeries, stats: readonly string[]): number | null {
  for (const stat of stats) {
    const value = readStat(series, stat);
    if (value !== undefined && Number.isFinite(value)) return Number(value.toPrecision(DIGITS));
  }
  return null;
}

/** Collects texts without duplicates. */
class Texts {
  readonly all: string[] = [];
  readonly #indices: Map<string, number> = new Map();

  indexOf(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.all.push(text) - 1;
      this.#indices.set(text, index);
    }
    return index;
  }
}
