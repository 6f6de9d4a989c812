import {
  folderValue,
  PARTITION_COLUMNS,
  parsePartitionPath,
  partitionFolder,
  partitionOf,
} from '../partition.ts';
import type { Findings } from './findings.ts';

/**
 * Checks a file of a partitioned dataset: engines take the values of the partition from its folders, which must say what its
 * metadata says, as far as a name is not too long for a folder.
 */
export function checkPartition(
  path: string,
  metadata: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const inPath = parsePartitionPath(path);
  const stated = partitionOf('', metadata);
  if (!inPath || !stated) return;
  for (const column of PARTITION_COLUMNS) {
    const value = stated[column];
    if (inPath[column] === value) continue;
    if (value !== '' && inPath[column] === folderValue(partitionFolder(column, value).name)) continue;
    findings.add(
      'parquet-metadata-value',
      `metadata servelens.${column}`,
      `is ${JSON.stringify(value)}, but the file lies in the folder of ${JSON.stringify(inPath[column])}`,
      value,
    );
  }
}
