import type { RunInfo } from '@org/formats';
import type { LoadSummary, ProfileMetrics, TokenSource } from '@org/loadgen';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import type { RunOptions } from '../runContext.ts';
import type { ProfileExports } from './profileExports.ts';

/** Options of `profile`. */
export interface ProfileOptions extends RunOptions {
  /** Position of the run in a repeated benchmark or sweep, recorded in the exports. */
  readonly runInfo?: Partial<Omit<RunInfo, 'benchmark_id' | 'random_seed' | 'cli_command'>>;
}

/** The result of a profile run. Its `files` include the requests file. */
export interface ProfileResult extends ProfileExports {
  readonly benchmarkId: string;
  readonly metrics: ProfileMetrics;
  /** Source of the token counts that the metrics use. */
  readonly tokenSource: TokenSource;
  readonly load: LoadSummary;
  /** Absent if the plan has no targets. */
  readonly server?: ServerMetrics;
  /** True if all exports were written. */
  readonly isWritten: boolean;
  readonly wasCancelled: boolean;
}
