import { relative, resolve } from 'node:path';
import type { RunRecord } from '@org/record';
import { MISSING_DATA, type OpenedRecord, type SourceKind } from '@org/record/open';
import { ExistingExportError, type ReexportPlan, type RunExports, reexport } from '@org/run/export';
import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import { createLog, type Log } from '@org/terminal/live';
import { type Io, isSet, omitUndefined, type RawOptions, readText } from '@org/terminal/program';
import {
  readArtifactDir,
  readCompatibility,
  readFormats,
  readJsonLayout,
  readMemoryLimit,
  readPercentileMethod,
  readSliceSeconds,
} from '../options/output.ts';
import { withOptionNames } from '../options/planErrors.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { logLosses, printRun } from '../screens/runSummary.ts';
import { listExports, printWrittenFiles } from './writtenFiles.ts';

/**
 * Runs `servelens export`: re-exports a run and prints its summary. Returns the exit code. Throws `UsageError` if an
 * option is invalid.
 */
export async function runExport(raw: RawOptions, io: Io): Promise<number> {
  const exportLine = new ExportLine();
  const log = createLog(io, isSet(raw, 'quiet'), () => exportLine.clear());
  const servers = await readServersOption(raw, io);
  const { record, exports, isWritten } = await withOptionNames(() =>
    withOutputHint(() =>
      reexport(
        { ...readReexportPlan(raw, io.cwd), servers },
        {
          onOpen: opened => logSource(opened, io, log),
          onStorageChange: message => log.warning(message),
          onProgress: progress => exportLine.update(progress, io, log, io.stderr.isTTY === true),
        },
      ),
    ),
  ).finally(() => exportLine.stop());
  if (isSet(raw, 'json')) printFiles(exports, record, io, log);
  else printRun(record, exports, { out: io.stdout, io, log });
  return isWritten ? 0 : 1;
}

/** Prints the files of a re-export as JSON, and logs data loss. */
function printFiles(exports: RunExports, record: RunRecord, io: Io, log: Log): void {
  printWrittenFiles(listExports(exports.results), io, log);
  logLosses(record, exports, log);
}

/** Runs `work`. Converts an error about an existing export to a `UsageError` with the options that avoid it. */
async function withOutputHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ExistingExportError)) throw error;
    throw new UsageError(`${error.message}; set --output to another folder, or export other --formats`);
  }
}

function readReexportPlan(raw: RawOptions, cwd: string): ReexportPlan {
  const output = readArtifactDir(raw, 'output');
  return {
    run: resolve(cwd, String(raw.run)),
    timeRange: omitUndefined({
      start: readText(raw, 'start', 'a time'),
      end: readText(raw, 'end', 'a time'),
      window: readText(raw, 'window', 'START..END'),
    }),
    parquetPartition: isSet(raw, 'parquet-partition'),
    memoryLimit: readMemoryLimit(raw),
    ...omitUndefined({
      compatibility: readCompatibility(raw),
      jsonLayout: readJsonLayout(raw),
      prefix: readText(raw, 'prefix', 'a prefix'),
      source: raw.from as SourceKind | undefined,
      folder: output === undefined ? undefined : resolve(cwd, output),
      formats: readFormats(raw, 'formats'),
      sliceSeconds: raw['slice-duration'] === 'none' ? 0 : readSliceSeconds(raw),
      percentileMethod: readPercentileMethod(raw),
    }),
  };
}

function logSource({ path, from, warnings }: OpenedRecord, io: Io, log: Log): void {
  for (const warning of warnings) log.warning(warning);
  const missingText = from === 'journal' ? '' : `; missing in this source: ${MISSING_DATA[from]}`;
  log.info(`exporting from ${relative(io.cwd, path) || path}${missingText}`);
}
