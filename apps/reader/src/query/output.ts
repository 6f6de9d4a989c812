import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import type { QueryResult } from './queryResult.ts';
import { formatTable } from './resultTable.ts';
import { formatText, toJson, type Value } from './value.ts';

/** How an answer can be printed. */
export const FORMATS = ['table', 'csv', 'json', 'jsonl', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];
/** Parquet is a file, and DuckDB writes it by itself. */
export type TextFormat = Exclude<Format, 'parquet'>;

/** Where text goes, and how wide it is. */
export interface OutputTarget {
  readonly stream: NodeJS.WritableStream;
  /** Columns; Infinity for a file. */
  readonly width: number;
}

/** Prints an answer while it comes: memory holds a batch of rows, not the answer. */
export async function printResult(
  answer: QueryResult,
  format: TextFormat,
  page: OutputTarget,
): Promise<void> {
  // A pipe that is full is waited for.
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
