import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { StoreMemory } from '@org/core';
import {
  describeSystemError,
  JournalError,
  JournalWriter,
  type JournalWriterOptions,
  type Replay,
  replayJournal,
} from '@org/scrape';
import type { ExportFormat } from '../exportFiles.ts';
import type { Layouts } from '../exportLayouts.ts';
import type { HealthRecord, RunRecord } from '../runRecord.ts';
import { UsageError } from '../usageError.ts';
import { momentsOf } from './journalMarks.ts';
import type { ProfileHeader } from './profileHeader.ts';

/** What a journal says first: all that exports need besides frames, marks and health. */
export interface RunHeader {
  readonly benchmarkId: string;
  readonly version: string;
  readonly startNs: bigint;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** How the run was to be exported. */
  readonly exports: Layouts & {
    readonly formats: readonly ExportFormat[];
    readonly prefix?: string;
    readonly sliceSeconds?: number;
    readonly parquetPartition?: boolean;
    readonly percentileMethod: string;
  };
  /** Of a run that put the load on itself. */
  readonly profile?: ProfileHeader;
}

export const JOURNAL_ENDING = '.journal';

/**
 * Begins the journal of a run in its folder, beside one that an earlier run may have left there: nothing that was collected
 * is ever lost.
 */
export function openJournal(folder: string, header: RunHeader, options: JournalWriterOptions): JournalWriter {
  const { prefix } = header.exports;
  const name = header.profile?.hasServers === false ? 'profile' : 'server_metrics';
  const stem = prefix === undefined ? name : `${prefix}_${name}`;
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? stem + JOURNAL_ENDING : `${stem}-${n}${JOURNAL_ENDING}`);
    try {
      return JournalWriter.open(path, header, options);
    } catch (error) {
      // Only the file system can say that a name is free: another run may take it between a look and an open.
      if (!isTaken(error)) throw error;
    }
  }
}

/** Whether a journal was begun beside another one of its name. */
export function isBesideAnother(path: string): boolean {
  return /-\d+\.journal$/.test(path);
}

function isTaken(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause?.code === 'EEXIST';
}

/** The journal that a user means: a file, or the only one in a folder. Throws `UsageError`. */
export async function journalIn(fileOrFolder: string): Promise<string> {
  if (basename(fileOrFolder).endsWith(JOURNAL_ENDING)) return fileOrFolder;
  const names = await readdir(fileOrFolder).catch(error => {
    throw new UsageError(
      `cannot read the folder ${JSON.stringify(fileOrFolder)}: ${describeSystemError(error)}`,
    );
  });
  const journals = names.filter(name => name.endsWith(JOURNAL_ENDING)).sort();
  if (journals.length === 1) return join(fileOrFolder, journals[0]!);
  if (journals.length === 0) {
    throw new UsageError(
      `${JSON.stringify(fileOrFolder)} has no journal; a run that ended in order has removed its own`,
    );
  }
  throw new UsageError(
    `${JSON.stringify(fileOrFolder)} has several journals, name one: ${journals.join(', ')}`,
  );
}

/** A run out of its journal. */
export interface Recovered {
  readonly header: RunHeader;
  readonly record: RunRecord;
  readonly replay: Replay;
}

/** Reads a run back from its journal. Throws `UsageError` for a file that is no journal, or has lost its beginning. */
export function recoverRun(path: string, memory?: StoreMemory): Recovered {
  const replay = replayed(path, memory);
  const header = replay.run as RunHeader | undefined;
  if (!header?.benchmarkId)
    throw new UsageError(`${path} says nothing of a run: ${replay.message || 'it is empty'}`);
  return { header, record: recordOf(header, replay), replay };
}

function replayed(path: string, memory: StoreMemory | undefined): Replay {
  try {
    return replayJournal(path, memory);
  } catch (error) {
    if (error instanceof JournalError) throw new UsageError(error.message);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`cannot read the journal ${path}: ${describeSystemError(error)}`);
  }
}

/** A run that was killed ends with its last frame; one that was killed in its warm-up has an empty period behind it. */
function recordOf(header: RunHeader, replay: Replay): RunRecord {
  const moments = momentsOf(replay.marks);
  const { profilingStartNs: start, profilingEndNs } = moments;
  // The kill may have come between a moment and the next frame.
  const endNs = moments.runEndNs ?? latest(header.startNs, lastFrameNs(replay), start, profilingEndNs);
  const period =
    start === undefined
      ? { startNs: endNs + 1n, endNs: endNs + 1n }
      : { startNs: start, endNs: profilingEndNs ?? endNs };
  return {
    benchmarkId: header.benchmarkId,
    version: header.version,
    startNs: header.startNs,
    endNs,
    period,
    cancelled: moments.cancelled,
    ...moments.about,
    inputConfig: header.inputConfig,
    endpoints: replay.endpoints.map(({ index, url, configuredUrl, store, health }) => ({
      url,
      configuredUrl,
      store,
      health: (health as HealthRecord | undefined) ?? UNKNOWN_HEALTH,
      edges: moments.edges(index),
    })),
  };
}

/** Of an endpoint whose health never reached the journal. */
export const UNKNOWN_HEALTH: HealthRecord = {
  status: 'no_data',
  last_error: null,
  scrapes_failed: 0,
  scrapes_late: 0,
  samples_dropped: 0,
  lines_dropped: 0,
  bytes: 0,
  outages: [],
  outages_omitted: 0,
  unsupported: [],
};

function latest(first: bigint, ...others: (bigint | undefined)[]): bigint {
  let last = first;
  for (const ns of others) if (ns !== undefined && ns > last) last = ns;
  return last;
}

function lastFrameNs(replay: Replay): bigint | undefined {
  let last: bigint | undefined;
  for (const { store } of replay.endpoints) {
    const { originNs, offsetsNs } = store.timeline();
    const offset = offsetsNs.at(-1);
    if (offset === undefined) continue;
    const ns = originNs + BigInt(offset);
    if (last === undefined || ns > last) last = ns;
  }
  return last;
}
