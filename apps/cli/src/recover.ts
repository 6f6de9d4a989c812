import { dirname, resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { Argv } from 'yargs';
import { type ExportFormat, FORMATS_OPTION } from './export/files.ts';
import { LAYOUT_OPTIONS, layoutsOf } from './export/layouts.ts';
import { type ExportOptions, exportRun } from './export/write.ts';
import type { Io } from './io.ts';
import { journalIn, type Recovered, type RunHeader, recoverRun } from './journal.ts';
import { removeLeftovers } from './leftovers.ts';
import { createLog, type Log } from './log.ts';
import { MEMORY_OPTION, memoryLimit, runMemory } from './memory.ts';
import { type RawOptions, secondsValue, singleValue } from './optionvalue.ts';
import { requestsOf } from './profile/earlier.ts';
import type { ProfileHeader } from './profile/header.ts';
import { showResult } from './profile/profile.ts';
import { rebuildProfile } from './profile/recover/rebuild.ts';
import { isWritten } from './profile/run.ts';
import { reportRun } from './report.ts';

/** Declares the arguments and options of `servelens recover` on a yargs command. */
export function declareRecover(yargs: Argv): Argv {
  return yargs
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run that was killed, or its journal',
    })
    .options({
      'server-metrics-formats': {
        ...FORMATS_OPTION,
        describe: 'Formats to write [default: those of the run]',
      },
      ...LAYOUT_OPTIONS,
      'parquet-partition': {
        boolean: true,
        describe: 'Also write the Parquet rows as a Hive-partitioned dataset [default: as in the run]',
      },
      'slice-duration': {
        describe: 'Seconds of a timeslice [default: that of the run]',
        requiresArg: true,
      },
      'percentile-method': {
        choices: Object.keys(PERCENTILE_METHODS),
        describe: 'How percentiles are estimated [default: that of the run]',
        requiresArg: true,
      },
      'memory-limit': MEMORY_OPTION,
    })
    .example('$0 recover artifacts/collect-20261121-081530', 'the exports of a run that was killed');
}

/** `servelens recover`: writes the exports of a run out of its journal, which stays. Returns the exit code. */
export async function recover(raw: RawOptions, io: Io): Promise<number> {
  const log = createLog(io, false);
  const isWritten = await recoverFrom(await journalIn(resolve(io.cwd, String(raw.run))), raw, io, log);
  return isWritten ? 0 : 1;
}

/** Writes the exports of the run of one journal, and shows them. Returns whether all are written. */
async function recoverFrom(path: string, raw: RawOptions, io: Io, log: Log): Promise<boolean> {
  const kept = runMemory(dirname(path), memoryLimit(raw), {
    onTrouble: ({ state, message }) => (state === 'failing' ? log.warning(message) : log.info(message)),
  });
  try {
    const run = recoverRun(path, kept.memory);
    const { header, replay } = run;
    if (replay.message !== '') log.warning(replay.message);
    if (replay.missedFrames > 0)
      log.warning(`${replay.missedFrames} scrape(s) could not be written to the journal in their time`);
    const seconds = secondsValue(raw, 'slice-duration', 0.001) ?? header.exports.sliceSeconds;
    const options = exportOptions(dirname(path), raw, header.exports, seconds);
    return header.profile
      ? await recoverProfile(path, run, header.profile, options, io, log)
      : await recoverCollected(run, options, io, log);
  } finally {
    kept.close();
    removeLeftovers(dirname(path));
  }
}

function exportOptions(
  folder: string,
  raw: RawOptions,
  exports: RunHeader['exports'],
  sliceSeconds: number | undefined,
): ExportOptions {
  return {
    folder,
    formats: (raw['server-metrics-formats'] as ExportFormat[] | undefined) ?? exports.formats,
    percentileMethod: (singleValue(raw, 'percentile-method') ?? exports.percentileMethod) as PercentileMethod,
    ...layoutsOf(raw, exports),
    batchSize: 100,
    parquetPartition: (raw['parquet-partition'] as boolean | undefined) ?? exports.parquetPartition ?? false,
    ...(exports.prefix === undefined ? {} : { prefix: exports.prefix }),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
  };
}

async function recoverCollected(
  { record }: Recovered,
  options: ExportOptions,
  io: Io,
  log: Log,
): Promise<boolean> {
  const exported = await exportRun(record, options);
  reportRun(record, exported, { out: io.stdout, io, log });
  return exported.results.every(({ failure }) => failure === undefined);
}

/** The servers' exports first: what the client measured is held against them. */
async function recoverProfile(
  journal: string,
  run: Recovered,
  profile: ProfileHeader,
  options: ExportOptions,
  io: Io,
  log: Log,
): Promise<boolean> {
  const { folder, sliceSeconds, csvLayout = 'servelens' } = options;
  const requests = requestsOf(journal, options.prefix);
  const server = profile.hasServers
    ? { record: run.record, exports: await exportRun(run.record, options) }
    : undefined;
  const rebuilt = await rebuildProfile(run, profile, {
    requests,
    folder,
    csvLayout,
    log,
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(server ? { server } : {}),
  });
  const result = { ...rebuilt, ...(server ? { server } : {}) };
  showResult(result, { showTrace: false }, io, log);
  return isWritten(result);
}
