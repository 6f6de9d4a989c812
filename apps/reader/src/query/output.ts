import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import { formatText, type QueryResult, type ResultRow, toJson } from './queryResult.ts';
import { formatTable } from './resultTable.ts';

/** The output formats of a query. */
export const FORMATS = ['table', 'csv', 'json', 'jsonl', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];
/** The formats that Servelens writes. DuckDB writes the format `parquet`. */
export type TextFormat = Exclude<Format, 'parquet'>;

/** The stream that results are printed to, and its width. */
export interface OutputTarget {
  readonly stream: NodeJS.WritableStream;
  /** Width in columns; Infinity for a file. */
  readonly width: number;
}

/**
 * Prints a result batch by batch, so that large results need not fit into memory. Returns false if the reader of the stream,
 * such as `head`, closed it.
 */
export async function printResult(
  result: QueryResult,
  format: TextFormat,
  { stream, width }: OutputTarget,
): Promise<boolean> {
  for await (const text of formatResult(result, format, width))
    if (stream.writable === false || (!stream.write(text) && !(await waitForDrain(stream)))) return false;
  return true;
}

/** Waits until the buffer of a stream is drained. Returns false if the stream is closed. */
async function waitForDrain(stream: NodeJS.WritableStream): Promise<boolean> {
  try {
    await once(stream, 'drain');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
    throw error;
  }
}

/** Formats a result batch by batch. `width` is the maximum width of a table, in columns. */
export function formatResult(result: QueryResult, format: TextFormat, width: number): AsyncIterable<string> {
  return FORMATTERS[format](result, width);
}

type Formatter = (result: QueryResult, width: number) => AsyncIterable<string>;

const FORMATTERS: Readonly<Record<TextFormat, Formatter>> = {
  table: formatTable,
  csv: formatCsv,
  json: formatJson,
  jsonl: formatJsonl,
};

async function* formatCsv({ columns, batches }: QueryResult): AsyncGenerator<string> {
  yield stringify([[...columns]]);
  for await (const rows of batches) yield stringify(rows.map(row => row.map(formatText)));
}

async function* formatJsonl({ columns, batches }: QueryResult): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(row => `${formatRow(columns, row)}\n`).join('');
}

async function* formatJson({ columns, batches }: QueryResult): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield separator + rows.map(row => formatRow(columns, row)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function formatRow(columns: readonly string[], row: ResultRow): string {
  return `{${columns.map((name, i) => `${JSON.stringify(name)}:${toJson(row[i]!)}`).join(',')}}`;
}
