import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import type { QueryResult } from './queryResult.ts';
import { formatTable } from './resultTable.ts';
import { formatText, toJson, type Value } from './value.ts';

/** The output formats of a query. */
export const FORMATS = ['table', 'csv', 'json', 'jsonl', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];
/** The formats that are printed; Parquet is written by DuckDB itself. */
export type TextFormat = Exclude<Format, 'parquet'>;

/** A stream for text, and its width. */
export interface OutputTarget {
  readonly stream: NodeJS.WritableStream;
  /** In columns; Infinity for a file. */
  readonly width: number;
}

/** Prints a result as it arrives, so that only a batch of rows is in memory. */
export async function printResult(
  answer: QueryResult,
  format: TextFormat,
  page: OutputTarget,
): Promise<void> {
  // Wait until a full pipe is drained.
  for await (const text of PRINTERS[format](answer, page.width))
    if (!page.stream.write(text)) await once(page.stream, 'drain');
}

const PRINTERS: Readonly<Record<TextFormat, (answer: QueryResult, width: number) => AsyncIterable<string>>> =
  {
    table: formatTable,
    csv: printCsv,
    json: printJson,
    jsonl: printJsonl,
  };

async function* printCsv({ columns, batches }: QueryResult): AsyncGenerator<string> {
  yield stringify([[...columns]]);
  for await (const rows of batches) yield stringify(rows.map(row => row.map(formatText)));
}

async function* printJsonl({ columns, batches }: QueryResult): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(row => `${rowJson(columns, row)}\n`).join('');
}

async function* printJson({ columns, batches }: QueryResult): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of batches) {
    yield before + rows.map(row => rowJson(columns, row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function rowJson(columns: readonly string[], row: readonly Value[]): string {
  return `{${columns.map((name, i) => `${JSON.stringify(name)}:${toJson(row[i]!)}`).join(',')}}`;
}
