import { join } from 'node:path';
import { writeProfileExportJson } from '@org/formats/write';
import { createExport } from '../../../../packages/record/test/support/profileExports.ts';
import { writeTestFile } from './runReader.ts';

const CONCURRENCY = 'phases.profiling.concurrency';

/**
 * Writes the files of one run of a sweep over the concurrency, like AIPerf: its configuration and, unless `latencies` is
 * undefined, its profile export with these latencies in milliseconds. Returns the folder of the run.
 */
export function writeSweptRun(
  sweep: string,
  concurrency: number,
  latencies: readonly number[] | undefined,
  { trial, command, rate = 100 * concurrency }: { trial?: number; command?: string; rate?: number } = {},
): string {
  const name = `concurrency_${concurrency}`;
  const folder = join(sweep, trial === undefined ? name : `profile_runs/trial_000${trial}/${name}`);
  const variation = { values: { [CONCURRENCY]: concurrency } };
  writeTestFile(folder, 'run_config.json', JSON.stringify({ variation, cli_command: command }));
  if (latencies)
    writeTestFile(
      folder,
      'profile_export_aiperf.json',
      writeProfileExportJson(createExport(latencies, rate)),
    );
  return folder;
}

/** Writes one of several repeated runs. Returns its folder. */
export function writeRepeatedRun(
  folder: string,
  trial: number,
  latencies: readonly number[] | undefined,
): string {
  const run = join(folder, `profile_runs/run_000${trial}`);
  writeTestFile(run, 'run_config.json', '{}');
  if (latencies)
    writeTestFile(run, 'profile_export_aiperf.json', writeProfileExportJson(createExport(latencies, 10)));
  return run;
}
