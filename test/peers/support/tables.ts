import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, readJson, readLines } from './exports.ts';
import { servelensJson } from './servelens.ts';

/** A table as a library reads it. */
export interface Table {
  readonly rows: number;
  readonly columns: Readonly<Record<string, Column>>;
}

/** Number of values of a column, with their sum if all are numbers, otherwise the number of distinct values. */
export interface Column {
  readonly values: number;
  readonly sum?: number;
  readonly distinct?: number;
}

/** Tables of each file, by library. */
export type Tables = Readonly<Record<string, Readonly<Record<string, readonly Table[]>>>>;

/** Titles above some tables of the CSV export of a sweep. */
const TITLES = ['Best Configurations', 'Pareto Optimal Points', 'Metadata'];

/** Columns of the Parquet export with numbers to add up. */
const PARQUET_SUMS = ['value', 'sum', 'count', 'bucket_count'];

/** Lists the exports of a folder that contain tables. Spark ignores hidden files, such as the marker of a complete run. */
export function listTables(folder: string): string[] {
  return listFiles(folder).filter(file => /(^|\/)[^./][^/]*\.(json|jsonl|csv|parquet)$/.test(file));
}

/** Returns the number of rows of each table of an export, counted without any library for tables. */
export async function countRows(folder: string, file: string): Promise<number[]> {
  const path = join(folder, file);
  if (file.endsWith('.json')) return [1];
  if (file.endsWith('.jsonl')) return [readLines(path).length];
  if (file.endsWith('.csv')) return splitSections(path).map(lines => lines.length - 1);
  return [(await queryParquet(path)).rows!];
}

/** Returns the columns of a JSON or JSONL export whose values `hasValue` accepts, by default all but null. */
export function listColumns(
  folder: string,
  file: string,
  hasValue: (value: unknown) => boolean = value => value !== null,
): string[] {
  const documents = file.endsWith('.json') ? [readJson(folder, file)] : readLines(folder, file);
  const columns = documents.flatMap(document =>
    Object.entries(document)
      .filter(([, value]) => hasValue(value))
      .map(([name]) => name),
  );
  return [...new Set(columns)].sort();
}

/** Returns the number of rows of a Parquet export, and the sums of its columns with numbers. */
export async function queryParquet(path: string): Promise<Readonly<Record<string, number>>> {
  const sums = PARQUET_SUMS.map(name => `sum("${name}") AS "${name}"`).join(', ');
  const sql = `SELECT count(*)::INT AS rows, ${sums} FROM rows`;
  const [row] = await servelensJson<Readonly<Record<string, number>>[]>(
    ...['read', 'query', path, sql, '--format', 'json'],
  );
  return row!;
}

/** Returns the lines of each table of a CSV file. Tables are separated by blank lines and may follow comments or a title. */
function splitSections(path: string): string[][] {
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter(line => !line.startsWith('#') && !TITLES.includes(line));
  const sections = lines.join('\n').split('\n\n');
  return sections.map(section => section.split('\n').filter(Boolean)).filter(({ length }) => length > 0);
}
