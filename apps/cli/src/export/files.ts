import { join } from 'node:path';
import type { Options } from 'yargs';
import { UsageError } from '../usage.ts';

/** The formats of server metrics exports, in the order in which they are written. */
export const FORMATS = ['json', 'csv', 'jsonl', 'parquet'] as const;

export type ExportFormat = (typeof FORMATS)[number];

/** How yargs reads an option that lists formats: `json csv` and `json,csv`. */
export const FORMATS_OPTION: Options & { array: true } = {
  array: true,
  choices: FORMATS,
  coerce: (given: unknown): string[] => [given].flat().flatMap(text => String(text).split(',')),
  requiresArg: true,
};

/** Seed 002, "Selecting Output Formats". */
export const DEFAULT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'parquet'];

/** What a prefix loses at its end, the longest first: reference A3. */
const SUFFIXES = [
  '_server_metrics.parquet',
  '_server_metrics.jsonl',
  '_server_metrics.json',
  '_server_metrics.csv',
  '_gpu_telemetry.jsonl',
  '_timeslices.csv',
  '_timeslices.json',
  '_raw.jsonl',
  '.parquet',
  '.jsonl',
  '.json',
  '.csv',
];

/**
 * Where an export goes: `server_metrics_export.<format>` in the artifact folder, or `<prefix>_server_metrics.<format>`
 * (seed 002, "Custom file naming").
 */
export function exportPath(folder: string, prefix: string | undefined, format: ExportFormat): string {
  return join(folder, `${stemOf(prefix)}.${format}`);
}

/** Where the partitioned dataset goes: a folder called like the exports, without an ending. */
export function datasetPath(folder: string, prefix: string | undefined): string {
  return join(folder, stemOf(prefix));
}

function stemOf(prefix: string | undefined): string {
  return prefix === undefined ? 'server_metrics_export' : `${prefix}_server_metrics`;
}

/** A prefix without the endings that exports have; of a path only its last part. Throws `UsageError` when nothing is left. */
export function cleanPrefix(text: string): string {
  const base = text
    .replace(/[/\\]+$/, '')
    .split(/[/\\]/)
    .at(-1)!;
  const suffix = SUFFIXES.find(ending => base.endsWith(ending)) ?? /\.[A-Za-z0-9]+$/.exec(base)?.[0] ?? '';
  const prefix = base.slice(0, base.length - suffix.length);
  if (prefix === '' || prefix === '.' || prefix === '..') {
    throw new UsageError(
      `--profile-export-prefix is ${JSON.stringify(text)}; expected a file name such as my_benchmark`,
    );
  }
  return prefix;
}
