import { resolve } from 'node:path';
import { formatCount } from '@org/core';
import { type FormatConsole, formatCommandLine } from '@org/run';
import { type MergedExports, mergeShards } from '@org/run/merge';
import { UsageError } from '@org/terminal';
import { createLog, type Log } from '@org/terminal/live';
import {
  type CommandContext,
  isSet,
  omitUndefined,
  type RawOptions,
  readList,
  readText,
} from '@org/terminal/program';
import { listRecovered, printWrittenFiles } from '../export/writtenFiles.ts';
import { readArtifactDir, readFormats, readMemoryLimit } from '../options/output.ts';
import { printExportedRun } from '../screens/exportedRun.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { formatConsoleFile } from '../screens/profileSummary.ts';
import { describeClocks } from './describeClocks.ts';

/** Runs `servelens merge`: joins the shards of a run and prints its summary. Returns the exit code. */
export async function runMerge(raw: RawOptions, { io, argv, version }: CommandContext): Promise<number> {
  const exportLine = new ExportLine();
  const log = createLog(io, isSet(raw, 'quiet'), () => exportLine.clear());
  const output = readArtifactDir(raw, 'output');
  if (output === undefined)
    throw new UsageError('missing --output; set the folder of the merged run, such as -o artifacts/run1');
  try {
    const merged = await mergeShards(
      {
        shards: readList(raw, 'shards').map(shard => resolve(io.cwd, shard)),
        folder: resolve(io.cwd, output),
        allowsMissing: isSet(raw, 'allow-missing'),
        parquetPartition: isSet(raw, 'parquet-partition'),
        memoryLimit: readMemoryLimit(raw),
        ...omitUndefined({
          prefix: readText(raw, 'prefix', 'a prefix'),
          formats: readFormats(raw, 'formats'),
        }),
      },
      {
        version,
        cliCommand: formatCommandLine(argv),
        formatConsole,
        onWarning: message => log.warning(message),
        onProgress: progress => exportLine.update(progress, io, log, io.stderr.isTTY === true),
      },
    );
    exportLine.stop();
    logClocks(merged, log);
    if (isSet(raw, 'json')) printWrittenFiles(listRecovered(merged), io, log);
    else printExportedRun(merged, io, log);
    return merged.isWritten ? 0 : 1;
  } finally {
    exportLine.stop();
  }
}

const formatConsole: FormatConsole = result => formatConsoleFile(result, { showTrace: false });

/** Logs the number of shards and what is known about their clocks. */
function logClocks({ shards }: MergedExports, log: Log): void {
  log.info(`merged ${formatCount(shards.length, 'shard')}`);
  if (shards.length < 2) return;
  for (const { isWarning, message } of describeClocks(shards))
    if (isWarning) log.warning(message);
    else log.info(message);
}
