import { join } from 'node:path';

/** The formats of server metrics exports, in writing order. */
export const FORMATS = ['json', 'csv', 'jsonl', 'parquet'] as const;

export type ExportFormat = (typeof FORMATS)[number];

/** The formats written by default, without JSONL: see docs/decisions/0005-default-formats.md. */
export const DEFAULT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'parquet'];

/** Layouts of the JSON export: schema 1.0, or AIPerf's flat 2025 layout, which includes summary metrics. */
export const JSON_LAYOUTS = ['1.0', 'legacy'] as const;
export type JsonLayout = (typeof JSON_LAYOUTS)[number];

/** Layouts of the CSV export: `servelens`, or AIPerf's layout with comments, CRLF line endings and four decimals. */
export const CSV_LAYOUTS = ['servelens', 'aiperf'] as const;
export type CsvLayout = (typeof CSV_LAYOUTS)[number];

/** Layouts of a run's exports. An absent field means the first entry of its list. */
export interface Layouts {
  readonly jsonLayout?: JsonLayout;
  readonly csvLayout?: CsvLayout;
}

/** Returns the path of an export: `server_metrics_export.<format>`, or `<prefix>_server_metrics.<format>`. */
export function getExportPath(folder: string, prefix: string | undefined, format: ExportFormat): string {
  return join(folder, `${formatStem(prefix)}.${format}`);
}

/** Returns the folder of the partitioned Parquet dataset: named like the exports, without an extension. */
export function getDatasetPath(folder: string, prefix: string | undefined): string {
  return join(folder, formatStem(prefix));
}

/** The parts of the name of an export or a journal. */
export interface ExportName {
  /** Undefined for names without a prefix, such as `server_metrics_export.json`. */
  readonly prefix?: string;
  readonly extension: ExportFormat | 'journal';
}

const EXPORT_NAME =
  /^(?:(.+)_)?server_metrics(?:_export)?(?:\.(json|csv|jsonl|parquet)|(?:-\d+)?\.(journal))$/;

/**
 * Parses the name of a server metrics export or of a journal, such as `server_metrics_export.json`,
 * `PREFIX_server_metrics.parquet` or `server_metrics-2.journal`. Returns undefined for other names.
 */
export function parseExportName(name: string): ExportName | undefined {
  const [, prefix, format, journal] = EXPORT_NAME.exec(name) ?? [];
  const extension = (format ?? journal) as ExportName['extension'] | undefined;
  if (extension === undefined) return undefined;
  return prefix === undefined ? { extension } : { prefix, extension };
}

function formatStem(prefix: string | undefined): string {
  return prefix === undefined ? 'server_metrics_export' : `${prefix}_server_metrics`;
}
