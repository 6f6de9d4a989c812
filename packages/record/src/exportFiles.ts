import { join } from 'node:path';

/** The formats of server metrics exports, in the order in which they are written. */
export const FORMATS = ['json', 'csv', 'jsonl', 'parquet'] as const;

export type ExportFormat = (typeof FORMATS)[number];

/** Seed 002, "Selecting Output Formats". */
export const DEFAULT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'parquet'];

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
