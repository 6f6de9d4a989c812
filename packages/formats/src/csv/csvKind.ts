import type { DocumentKind } from '../validate/documentKind.ts';

/** The documents that are written as CSV. */
export type CsvKind = Extract<
  DocumentKind,
  | 'server-metrics-csv'
  | 'profile-export-csv'
  | 'profile-timeslices-csv'
  | 'profile-aggregate-csv'
  | 'profile-sweep-csv'
>;

/** Parameters come first, then columns of metrics. */
const sweepHeader = /^\uFEFF?[^\n#]*_mean"?(?:,|\r?\n|$)/;

/** Tells the CSV exports apart by their first header; by the name only when the header is none that is known. */
export function detectCsvKind(text: string, name = ''): CsvKind {
  const [, first, second] =
    /^(?:\uFEFF)?(?:\s|#[^\n]*\n)*"?([^",\r\n]*)"?(?:,"?([^",\r\n]*))?/.exec(text) ?? [];
  if (first === 'Timeslice') return 'profile-timeslices-csv';
  if (first === 'Metric' || (first === 'Endpoint' && second === 'GPU_Index')) return 'profile-export-csv';
  if (first === 'Endpoint') return 'server-metrics-csv';
  if (first === 'metric' && second === 'mean') return 'profile-aggregate-csv';
  if (sweepHeader.test(text)) return 'profile-sweep-csv';
  const base = name.split(/[/\\]/).at(-1)!;
  if (/_timeslices\.csv$/i.test(base)) return 'profile-timeslices-csv';
  if (/^profile_export.*_aggregate\.csv$/i.test(base)) return 'profile-aggregate-csv';
  if (/^profile_export.*_sweep\.csv$/i.test(base)) return 'profile-sweep-csv';
  return /^profile_export/i.test(base) ? 'profile-export-csv' : 'server-metrics-csv';
}
