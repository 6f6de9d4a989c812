import type { PercentileMethod } from '@org/core';
import type { ExportFormat, Layouts } from '@org/record';
import type { Target } from '@org/scrape';
import type { Settings } from './scrapeSettings.ts';

/** What `servelens collect` was asked to do, checked. */
export interface CollectOptions {
  readonly targets: readonly Target[];
  /** The configuration file, as it was named. */
  readonly config?: string;
  /** False with --no-server-metrics: the command runs and nothing is scraped. */
  readonly enabled: boolean;
  /** The command to run, if any. */
  readonly command: readonly string[];
  /** How long to collect without a command, seconds, warm-up not counted; until Ctrl-C without either. */
  readonly durationSeconds?: number;
  readonly warmupSeconds: number;
  /** How long to wait at the ends of profiling for idle servers to stand still, at most; not at all without it. */
  readonly settleSeconds?: number;
  readonly sliceSeconds?: number;
  readonly formats: readonly ExportFormat[];
  /** Whether to write a partitioned dataset, too. */
  readonly parquetPartition: boolean;
  readonly layouts: Layouts;
  readonly prefix?: string;
  readonly folder: string;
  /** Whether the folder has a name that we gave it; then no other run may have it. */
  readonly folderIsOwn: boolean;
  readonly percentileMethod: PercentileMethod;
  readonly keepJournal: boolean;
  /** Bytes that what was scraped may take in memory. */
  readonly memoryLimit: number;
  readonly required: boolean;
  readonly quiet: boolean;
  readonly live: boolean;
  readonly settings: Settings;
}
