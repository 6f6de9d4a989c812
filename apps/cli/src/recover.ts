import { dirname, resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { RunRecord } from '@org/record';
import { type ExportFormat, exportPath } from '@org/record';
import type { ProfileHeader } from '@org/record/journal';
import { findJournal, type RecoveredRun, type RunHeader, readLoad, recoverRun } from '@org/record/journal';
import { type ExportOptions, exportRun, readBenchmarkId } from '@org/run/export';
import { type Log, removeLeftovers, runMemory } from '@org/run/lifecycle';
import { isListening, removeDead } from '@org/run/marks';
import { isWritten, requestsOf } from '@org/run/profile';
import { rebuildProfile } from '@org/run/recover';
import { UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FORMATS_OPTION } from './export/exportoptions.ts';
import { LAYOUT_OPTIONS, layoutsOf } from './export/layouts.ts';
import type { Io } from './io.ts';
import { createLog } from './log.ts';
import { MEMORY_OPTION, memoryLimit } from './memory.ts';
import { type RawOptions, secondsValue, singleValue } from './optionvalue.ts';
import { showResult } from './profile/profile.ts';
import { recoverSeveral, severalIn } from './profile/recover/several.ts';
import { reportRun } from './report.ts';

/** Declares the arguments and options of `servelens recover` on a yargs command. */
export function declareRecover(yargs: Argv): Argv {
  return yargs
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run that was killed, its journal, or the folder of several runs',
    })
    .options({
      'server-metrics-formats': {
        ...FORMATS_OPTION,
        describe: 'Formats to write [default: those of the run]',
      },
      ...LAYOUT_OPTIONS,
      'parquet-partition': {
        ...LAYOUT_OPTIONS['parquet-partition'],
        describe: `${LAYOUT_OPTIONS['parquet-partition'].describe} [default: as in the run]`,
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
  checkOptions(raw);
  const where = resolve(io.cwd, String(raw.run));
  const several = await severalIn(where);
  const one =
    (show: ShowProfile) =>
    async (run: string): Promise<boolean> =>
      recoverFrom(await findJournal(run), raw, io, log, show);
  const isWhole = several
    ? await recoverSeveral(several, one(tellResult), io, log)
    : await one(result => showResult(result, { showTrace: false }, io, log))(where);
  return isWhole ? 0 : 1;
}

/** What is wrong with an option is wrong with every run, and told before anything is written. Throws `UsageError`. */
function checkOptions(raw: RawOptions): void {
  sliceSecondsOf(raw);
  memoryLimit(raw);
  layoutsOf(raw);
  singleValue(raw, 'percentile-method');
}

function sliceSecondsOf(raw: RawOptions): number | undefined {
  return secondsValue(raw, 'slice-duration', 0.001);
}

type ShowProfile = (result: Parameters<typeof showResult>[0], log: Log) => void;

/** One of several runs: what it came to in a line, and what could not be written. */
function tellResult({ document, files, server }: Parameters<typeof showResult>[0], log: Log): void {
  const { requests } = document.recovered!;
  log.info(`${requests} request(s)${document.was_cancelled ? ', killed' : ', complete'}`);
  for (const file of files) if (!file.ok) log.error(file.message);
  for (const { format, failure } of server?.exports.results ?? [])
    if (failure !== undefined) log.error(`no ${format} export: ${failure}`);
}

/** Writes the exports of the run of one journal, and shows them. Returns whether all are written. */
async function recoverFrom(
  path: string,
  raw: RawOptions,
  io: Io,
  log: Log,
  show: ShowProfile,
): Promise<boolean> {
  const kept = runMemory(dirname(path), memoryLimit(raw), {
    onStateChange: ({ state, message }) => (state === 'failing' ? log.warning(message) : log.info(message)),
  });
  try {
    if (await isListening(dirname(path)))
      log.warning(`a run goes on in ${dirname(path)}: these are its exports as far as it has come`);
    await removeDead(dirname(path));
    const run = recoverRun(path, kept.memory);
    const { header, replay } = run;
    if (replay.message !== '') log.warning(replay.message);
    if (replay.missedFrames > 0)
      log.warning(`${replay.missedFrames} scrape(s) could not be written to the journal in their time`);
    keepOthers(path, header);
    const seconds = sliceSecondsOf(raw) ?? header.exports.sliceSeconds;
    const options = exportOptions(dirname(path), raw, header.exports, seconds);
    const isWhole = header.profile
      ? await recoverProfile(path, run, header.profile, options, log, show)
      : await recoverCollected(run, options, io, log);
    removeLeftovers(dirname(path));
    return isWhole;
  } finally {
    kept.close();
  }
}

/** A run that followed in the same folder has its exports there, and no journal any more. Throws `UsageError`. */
function keepOthers(journal: string, { benchmarkId, exports }: RunHeader): void {
  const there = exportPath(dirname(journal), exports.prefix, 'json');
  const id = readBenchmarkId(there);
  if (id !== undefined && id !== benchmarkId)
    throw new UsageError(
      `${there} is of another run than ${journal}, and would be replaced; ` +
        `move the exports elsewhere, or write those of the journal elsewhere: servelens export ${journal} --output FOLDER`,
    );
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
  { record }: RecoveredRun,
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
  run: RecoveredRun,
  profile: ProfileHeader,
  options: ExportOptions,
  log: Log,
  show: ShowProfile,
): Promise<boolean> {
  const { folder, sliceSeconds, csvLayout = 'servelens' } = options;
  const requests = requestsOf(journal, options.prefix);
  const record = recordOf(run);
  const server = profile.hasServers ? { record, exports: await exportRun(record, options) } : undefined;
  const rebuilt = await rebuildProfile(run, profile, {
    requests,
    folder,
    csvLayout,
    log,
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(server ? { server } : {}),
  });
  const result = { ...rebuilt, ...(server ? { server } : {}) };
  show(result, log);
  return isWritten(result);
}

/** A run that was killed when its load was over has measured all that it was to measure. */
function recordOf({ record, replay }: RecoveredRun): RunRecord {
  const { end } = readLoad(replay.marks);
  return end ? { ...record, cancelled: end.summary.wasCancelled } : record;
}
