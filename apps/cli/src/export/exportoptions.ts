import { FORMATS } from '@org/record';
import { UsageError } from '@org/terminal';
import type { Options } from 'yargs';

/** How yargs reads an option that lists formats: `json csv` and `json,csv`. */
export const FORMATS_OPTION: Options & { array: true } = {
  array: true,
  choices: FORMATS,
  coerce: (given: unknown): string[] => [given].flat().flatMap(text => String(text).split(',')),
  requiresArg: true,
};

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
