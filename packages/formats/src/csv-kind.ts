import type { DocumentKind } from './recognise.ts';

/** The documents that are written as CSV. */
export type CsvKind = Extract<
  DocumentKind,
  'server-metrics-csv' | 'profile-export-csv' | 'profile-timeslices-csv'
>;

/** Tells the CSV exports apart by their first header; by the name only when the header is none that is known. */
export function csvKind(text: string, name = ''): CsvKind {
  const [, first, second] =
    /^(?:\uFEFF)?(?:\s|#[^\n]*\n)*"?([^",\r\n]*)"?(?:,"?([^",\r\n]*))?/.exec(text) ?? [];
  if (first === 'Timeslice') return 'profile-timeslices-csv';
  if (first === 'Metric' || (first === 'Endpoint' && second === 'GPU_Index')) return 'profile-export-csv';
  if (first === 'Endpoint') return 'server-metrics-csv';
  const base = name.split(/[/\\]/).at(-1)!;
  if (/_timeslices\.csv$/i.test(base)) return 'profile-timeslices-csv';
  return /^profile_export/i.test(base) ? 'profile-export-csv' : 'server-metrics-csv';
}
