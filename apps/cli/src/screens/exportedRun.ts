import type { RecoveredExports } from '@org/run/recover';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { printProfile } from './profileSummary.ts';
import { printRun } from './runSummary.ts';

/** Prints the summary of the exports of a run: a benchmark summary for a profile run, otherwise a server metrics summary. */
export function printExportedRun(
  { server, profile, gpus }: Pick<RecoveredExports, 'server' | 'profile' | 'gpus'>,
  io: Io,
  log: Log,
): void {
  if (profile) printProfile({ ...profile, ...(server ? { server } : {}) }, { showTrace: false }, io, log);
  else if (server)
    printRun(
      server.record,
      server.exports,
      { out: io.stdout, io, log },
      { document: gpus?.document, files: gpus ? [gpus.file] : [] },
    );
}
