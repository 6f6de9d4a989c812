import { RESERVED_COLUMNS } from './columns.ts';
import type { ServerMetricsParquetReader } from './read/reader.ts';

/** Key of the metadata that lists the columns with labels of targets, as a JSON array. */
export const TARGET_COLUMNS_KEY = 'servelens.target_columns';

const COLUMN_PREFIX = 'target_';

/**
 * Returns the column of each label of the targets, by label: `target_pod` for `pod`. A label has no column if a label of a
 * series has the name of the column.
 *
 * @param seriesLabels the names of the labels of all series
 */
export function planTargetColumns(
  targetLabels: Iterable<string>,
  seriesLabels: Iterable<string>,
): ReadonlyMap<string, string> {
  // Query engines do not distinguish columns whose names differ in case only.
  const taken = new Set([...seriesLabels].map(name => name.toLowerCase()));
  const columns = new Map<string, string>();
  for (const label of [...new Set(targetLabels)].sort()) {
    const column = COLUMN_PREFIX + label;
    if (taken.has(column.toLowerCase())) continue;
    taken.add(column.toLowerCase());
    columns.set(label, column);
  }
  return columns;
}

/** Lists the columns of a file that contain labels of series, without those that contain labels of targets. */
export function listSeriesLabelColumns({
  columns,
  metadata,
}: Pick<ServerMetricsParquetReader, 'columns' | 'metadata'>): string[] {
  const others = new Set([...RESERVED_COLUMNS, ...readTargetColumns(metadata)]);
  return columns.filter(({ name, type }) => type === 'string' && !others.has(name)).map(({ name }) => name);
}

function readTargetColumns(metadata: ReadonlyMap<string, string>): readonly string[] {
  try {
    const columns: unknown = JSON.parse(metadata.get(TARGET_COLUMNS_KEY) ?? '[]');
    return Array.isArray(columns) ? columns.filter(name => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
