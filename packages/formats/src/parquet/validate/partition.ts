import {
  findPartition,
  formatPartitionFolder,
  PARTITION_COLUMNS,
  parseFolderValue,
  parsePartitionPath,
} from '../partition.ts';
import type { Findings } from './findings.ts';

/**
 * Checks that the folder names of a partitioned dataset match the metadata of a file, because engines read the partition columns from
 * the folders. A shortened folder name must match the hash of its value.
 */
export function checkPartition(
  path: string,
  metadata: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const inPath = parsePartitionPath(path);
  const stated = findPartition('', metadata);
  if (!inPath || !stated) return;
  for (const column of PARTITION_COLUMNS) {
    const value = stated[column];
    if (inPath[column] === value) continue;
    if (value !== '' && inPath[column] === parseFolderValue(formatPartitionFolder(column, value).name))
      continue;
    findings.add(
      'parquet-metadata-value',
      `metadata servelens.${column}`,
      `is ${JSON.stringify(value)}, but the file is in the folder of ${JSON.stringify(inPath[column])}`,
      value,
    );
  }
}
