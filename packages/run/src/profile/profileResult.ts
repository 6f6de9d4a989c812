import type { ProfileExport, ProfileTimeslices, Reconciliation, RunInfo } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import type { LoadSummary, ProfileMetrics } from '@org/loadgen';
import type { ServerMetrics } from '../lifecycle/runLifecycle.ts';
import type { RunOptions } from '../runOptions.ts';

export interface ProfileOptions extends RunOptions {
  /** Position of the run in a repeated benchmark or sweep, recorded in the exports. */
  readonly runInfo?: Partial<Omit<RunInfo, 'benchmark_id' | 'random_seed' | 'cli_command'>>;
}

/** The result of a profile run. */
export interface ProfileResult {
  readonly benchmarkId: string;
  readonly document: ProfileExport;
  readonly timeslices?: ProfileTimeslices;
  readonly metrics: ProfileMetrics;
  readonly load: LoadSummary;
  readonly reconciliation?: Reconciliation;
  /** Absent if the plan has no targets. */
  readonly server?: ServerMetrics;
  /** Outcomes of the client's exports. */
  readonly files: readonly WriteResult[];
  readonly wasCancelled: boolean;
}

/** Reports whether all exports of a run are written. */
export function isWritten({ files, server }: Pick<ProfileResult, 'files' | 'server'>): boolean {
  return (
    files.every(({ ok }) => ok) &&
    (server?.exports.results ?? []).every(({ failure }) => failure === undefined)
  );
}

/** Reports whether an export failed because the disk is full. */
export function isDiskFull({ files, server }: Pick<ProfileResult, 'files' | 'server'>): boolean {
  return (
    files.some(file => !file.ok && file.reason === 'disk-full') ||
    (server?.exports.results ?? []).some(({ isDiskFull }) => isDiskFull)
  );
}
