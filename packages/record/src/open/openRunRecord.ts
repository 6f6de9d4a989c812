import { dirname } from 'node:path';
import type { StoreMemory } from '@org/core';
import { ParquetError } from '@org/formats/parquet';
import { FormatError, fromPath, isSourceError, JsonSyntaxError } from '@org/formats/read';
import { recoverRun } from '../journal/recoverRun.ts';
import { RunInputError } from '../runInputError.ts';
import type { OpenedRun } from './exportedRun.ts';
import { readJsonlRecord } from './jsonlRecord.ts';
import { hasReferences, readParquetRecord } from './parquetRecord.ts';
import { type SampleFiles, SOURCES, type SourceKind } from './sampleFiles.ts';

/** A run record with the file that it was read from. */
export interface OpenedRecord extends OpenedRun {
  readonly from: SourceKind;
  readonly path: string;
}

/** Data of a run that is missing from each kind of source. */
export const MISSING_DATA: Readonly<Record<SourceKind, string>> = {
  journal: 'none',
  parquet: 'warm-up and flush period, raw values (and therefore JSONL), summaries',
  jsonl:
    'scrapes with an unchanged body, summaries (types, units and _info metrics are read from the JSON export)',
};

/**
 * Reads a run record from the file of the requested kind. By default, reads the most complete file of the run. An incomplete
 * file is used only if there is no other.
 *
 * @throws RunInputError if no file has samples, or the file is malformed or cannot be read
 */
export async function openRunRecord(
  files: SampleFiles,
  requestedKind: SourceKind | undefined,
  memory?: StoreMemory,
): Promise<OpenedRecord> {
  const kinds = requestedKind === undefined ? await listSources(files) : [requestedKind];
  const failures: string[] = [];
  let incomplete: OpenedRecord | undefined;
  for (const from of kinds) {
    const path = files.files[from];
    if (path === undefined) throw createSourceError(files, requestedKind);
    try {
      const opened = await READERS[from](path, files, memory);
      if (!opened.isIncomplete) return { ...opened, from, path, warnings: [...failures, ...opened.warnings] };
      incomplete ??= { ...opened, from, path, warnings: [...failures, ...opened.warnings] };
      failures.push(`${path} is incomplete: ${opened.warnings[0]}`);
    } catch (error) {
      if (!isFileError(error)) throw error;
      failures.push(`cannot export from ${path}: ${(error as Error).message}`);
    }
  }
  if (incomplete) return incomplete;
  if (failures.length === 0) throw createSourceError(files, requestedKind);
  throw new RunInputError(failures.join('; '));
}

/**
 * Lists the sources of a run, best first. AIPerf's Parquet export lacks the values before profiling and the tags of the
 * scrapes, so the JSONL export of such a run is better. JSONL without a JSON export has no types and is not listed.
 */
async function listSources({ files }: SampleFiles): Promise<readonly SourceKind[]> {
  const isUsable = (kind: SourceKind): boolean =>
    files[kind] !== undefined &&
    (kind !== 'jsonl' || files.json !== undefined || files.parquet === undefined);
  const kinds = SOURCES.filter(isUsable);
  const { parquet } = files;
  if (!kinds.includes('jsonl') || parquet === undefined || (await hasReferences(parquet))) return kinds;
  return [...kinds.filter(kind => kind !== 'parquet'), 'parquet'];
}

type Reader = (path: string, files: SampleFiles, memory: StoreMemory | undefined) => Promise<OpenedRun>;

const READERS: Readonly<Record<SourceKind, Reader>> = {
  journal: async (path, _, memory) => readFromJournal(path, memory),
  parquet: readFromParquet,
  jsonl: readFromJsonl,
};

function readFromJournal(path: string, memory: StoreMemory | undefined): OpenedRun {
  const { record, replay } = recoverRun(path, memory);
  return {
    record,
    warnings: [
      ...(replay.message === '' ? [] : [replay.message]),
      ...(replay.missedFrames > 0 ? [formatMissedFrames(replay.missedFrames)] : []),
    ],
  };
}

/** Formats a warning about scrapes that are missing from a journal. */
export function formatMissedFrames(frames: number): string {
  return `${frames} ${frames === 1 ? 'scrape is' : 'scrapes are'} missing: the journal could not be written at the time`;
}

/** Reads a Parquet export. A JSON export that cannot be read is left out. */
async function readFromParquet(
  path: string,
  { files: { json } }: SampleFiles,
  memory: StoreMemory | undefined,
): Promise<OpenedRun> {
  try {
    return await readParquetRecord(path, { json, memory });
  } catch (error) {
    if (json === undefined || !(error instanceof FormatError || error instanceof JsonSyntaxError))
      throw error;
    const { record, warnings } = await readParquetRecord(path, { memory });
    return { record, warnings: [error.message, ...warnings] };
  }
}

async function readFromJsonl(
  path: string,
  { files, folder }: SampleFiles,
  memory: StoreMemory | undefined,
): Promise<OpenedRun> {
  const { json, parquet } = files;
  if (json !== undefined) return readJsonlRecord(fromPath(path), { json, parquet, memory });
  throw new RunInputError(
    `cannot export from ${path} alone: the types and units of its metrics are in the JSON export, which is missing from ${folder}`,
  );
}

/** Names of the sources in messages. */
const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  journal: 'journal',
  parquet: 'Parquet export',
  jsonl: 'JSONL export',
};

function createSourceError(
  { folder, files }: SampleFiles,
  requestedKind: SourceKind | undefined,
): RunInputError {
  const names = Object.values(files)
    .map(path => JSON.stringify(path.slice(dirname(path).length + 1)))
    .join(', ');
  if (requestedKind !== undefined)
    return new RunInputError(
      `no ${SOURCE_NAMES[requestedKind]} in ${JSON.stringify(folder)}; found ${names}`,
    );
  return new RunInputError(
    `cannot export ${folder} again: found only statistics and no samples, in ${names}; samples are in a kept ` +
      'journal, in a Parquet export, or in a JSONL export next to the JSON export',
  );
}

function isFileError(error: unknown): boolean {
  if (error instanceof ParquetError || error instanceof FormatError || error instanceof JsonSyntaxError)
    return true;
  return isSourceError(error) || (error as NodeJS.ErrnoException).code !== undefined;
}
