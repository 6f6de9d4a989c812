import { join } from 'node:path';

/** The formats of server metrics exports, in writing order. */
export const FORMATS = ['json', 'csv', 'jsonl', 'parquet'] as const;

export type ExportFormat = (typeof FORMATS)[number];

/** The formats written by default, without JSONL: see docs/decisions/0005-default-formats.md. */
export const DEFAULT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'parquet'];

/** The formats that AIPerf writes by default. */
const AIPERF_DEFAULT_FORMATS: readonly ExportFormat[] = ['json', 'csv'];

/** Returns the formats that a run writes by default. */
export function getDefaultFormats(compatibility: Compatibility): readonly ExportFormat[] {
  return compatibility === 'servelens' ? DEFAULT_FORMATS : AIPERF_DEFAULT_FORMATS;
}

export const EXPORT_LEVELS = ['summary', 'records', 'raw'] as const;

/**
 * The detail of the client's exports: the results only, also a line per request (profile_export.jsonl), or also the
 * requests and responses as sent (profile_export_raw.jsonl).
 */
export type ExportLevel = (typeof EXPORT_LEVELS)[number];

/** Layouts of the JSON export: schema 1.0, or AIPerf's flat 2025 layout, which includes summary metrics. */
export const JSON_LAYOUTS = ['1.0', 'legacy'] as const;
export type JsonLayout = (typeof JSON_LAYOUTS)[number];

/**
 * The program whose files a run writes. `servelens`: AIPerf's files with additional fields. `aiperf-0.13`: the files of
 * AIPerf 0.13.0, without additional fields. See docs/decisions/0043-files-of-aiperf.md.
 */
export const COMPATIBILITIES = ['servelens', 'aiperf-0.13'] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

/**
 * The windows that statistics can cover. `profiling`: the period of the run record. `aiperf`: the window of AIPerf 0.13,
 * from the first to the last scrape that is tagged as profiling, including those of the flush period. See
 * docs/decisions/0041-statistics-windows.md
 */
export const STATISTICS_WINDOWS = ['profiling', 'aiperf'] as const;
export type StatisticsWindow = (typeof STATISTICS_WINDOWS)[number];

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
