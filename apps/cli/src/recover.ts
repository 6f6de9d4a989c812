import { dirname, resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { Argv } from 'yargs';
import { type ExportFormat, FORMATS_OPTION } from './export/files.ts';
import { LAYOUT_OPTIONS, layoutsOf } from './export/layouts.ts';
import { exportRun } from './export/write.ts';
import type { Io } from './io.ts';
import { journalIn, recoverRun } from './journal.ts';
import { removeLeftovers } from './leftovers.ts';
import { createLog } from './log.ts';
import { MEMORY_OPTION, memoryLimit, runMemory } from './memory.ts';
import { secondsValue, singleValue } from './optionvalue.ts';
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
export async function recover(raw: Readonly<Record<string, unknown>>, io: Io): Promise<number> {
  const log = createLog(io, false);
  const path = await journalIn(resolve(io.cwd, String(raw.run)));
  const kept = runMemory(dirname(path), memoryLimit(raw), {
    onTrouble: ({ state, message }) => (state === 'failing' ? log.warning(message) : log.info(message)),
  });
  const { header, record, replay } = recoverRun(path, kept.memory);
  if (replay.message !== '') log.warning(replay.message);
  if (replay.missedFrames > 0)
    log.warning(`${replay.missedFrames} scrape(s) could not be written to the journal in their time`);
  const { exports } = header;
  const sliceSeconds = secondsValue(raw, 'slice-duration', 0.001) ?? exports.sliceSeconds;
  const exported = await exportRun(record, {
    folder: dirname(path),
    formats: (raw['server-metrics-formats'] as ExportFormat[] | undefined) ?? exports.formats,
    percentileMethod: (singleValue(raw, 'percentile-method') ?? exports.percentileMethod) as PercentileMethod,
    ...layoutsOf(raw, exports),
    batchSize: 100,
    parquetPartition: (raw['parquet-partition'] as boolean | undefined) ?? exports.parquetPartition ?? false,
    ...(exports.prefix === undefined ? {} : { prefix: exports.prefix }),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
  });
  kept.close();
  removeLeftovers(dirname(path));
  reportRun(record, exported, { out: io.stdout, io, log });
  return exported.results.every(({ failure }) => failure === undefined) ? 0 : 1;
}
