import type { DocumentKind } from './documentKind.ts';

/** Kinds of CSV documents. */
export type CsvKind = Extract<
  DocumentKind,
  | 'server-metrics-csv'
  | 'profile-export-csv'
  | 'profile-timeslices-csv'
  | 'profile-aggregate-csv'
  | 'profile-sweep-csv'
>;

/** Header of a sweep table, which has a column whose name ends with `_mean`. */
const SWEEP_HEADER = /^\uFEFF?[^\n#]*_mean"?(?:,|\r?\n|$)/;

/** Detects the kind of a CSV export by its first column names or, if they are unknown, by the file name. */
export function detectCsvKind(text: string, name = ''): CsvKind {
  const [, first, second] =
    /^(?:\uFEFF)?(?:\s|#[^\n]*\n)*"?([^",\r\n]*)"?(?:,"?([^",\r\n]*))?/.exec(text) ?? [];
  if (first === 'Timeslice') return 'profile-timeslices-csv';
  if (first === 'Metric' || (first === 'Endpoint' && second === 'GPU_Index')) return 'profile-export-csv';
  if (first === 'Endpoint') return 'server-metrics-csv';
  if (first === 'metric' && second === 'mean') return 'profile-aggregate-csv';
  if (SWEEP_HEADER.test(text)) return 'profile-sweep-csv';
  const base = name.split(/[/\\]/).at(-1)!;
  if (/_timeslices\.csv$/i.test(base)) return 'profile-timeslices-csv';
  if (/^profile_export.*_aggregate\.csv$/i.test(base)) return 'profile-aggregate-csv';
  if (/^profile_export.*_sweep\.csv$/i.test(base)) return 'profile-sweep-csv';
  return /^profile_export/i.test(base) ? 'profile-export-csv' : 'server-metrics-csv';
}
