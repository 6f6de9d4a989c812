import type { ExportFormat } from '@org/record';
import type { ExportProgress } from '../export/exportProgress.ts';
import type { FormatConsole } from '../profile/profileResult.ts';

/** The shards to merge, and the folder of the merged run. */
export interface MergePlan {
  /** Folders of the shards, in any order. */
  readonly shards: readonly string[];
  /** Folder of the merged run. It must not contain a run. */
  readonly folder: string;
  /** Prefix of the files of the shards, which the merged run also has. */
  readonly prefix?: string;
  /** True to merge an incomplete run if shards are missing; false by default. */
  readonly allowsMissing?: boolean;
  /** Export formats of server metrics; by default, the formats of the shards. */
  readonly formats?: readonly ExportFormat[];
  /** True to also write the Parquet rows as a partitioned dataset. */
  readonly parquetPartition?: boolean;
  /** Maximum memory for samples, in bytes; 1 GiB by default. */
  readonly memoryLimit?: number;
}

/** Callbacks and properties of a merge. */
export interface MergeOptions {
  /** Version of the program, recorded in the exports. */
  readonly version?: string;
  /** Command line without secrets, recorded in the exports. */
  readonly cliCommand?: string;
  /** Called with each condition that the user should know, as a sentence. */
  readonly onWarning?: (message: string) => void;
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Formats the result of a profile run for a file; see `ProfileOptions`. */
  readonly formatConsole?: FormatConsole;
}
