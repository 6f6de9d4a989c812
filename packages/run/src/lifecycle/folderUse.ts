import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { quoteShellPath } from '@org/core';
import { FORMATS, getExportPath } from '@org/record';
import { JOURNAL_EXTENSION, type RunHeader } from '@org/record/journal';
import { hasEndRecord, JournalError, readJournal } from '@org/scrape';
import { readBenchmarkId } from '../export/benchmarkId.ts';
import { isRegularFile } from '../export/regularFile.ts';
import { PlanError } from '../plan/planError.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import { isAlive } from './runOwner.ts';

/** A journal in an artifact folder, and the state of its run. */
export interface JournaledRun {
  readonly journal: string;
  /**
   * `active`: its process exists. `unexported`: the journal is the only complete record of the run. `exported`: the
   * exports in the folder belong to the run.
   */
  readonly state: 'active' | 'unexported' | 'exported';
  /** The process of an active run. */
  readonly pid?: number;
}

/** The first record of a journal of a run or of a plan. */
type JournalHeader = Partial<RunHeader>;

/** Lists the runs that have a journal in a folder. Returns an empty list if the folder cannot be read. */
export function listJournaledRuns(folder: string): readonly JournaledRun[] {
  return listHeaders(folder).map(({ journal, header }) => describeRun(folder, journal, header));
}

/** The exports that a run writes. Runs with different exports may use the same folder. */
export interface WrittenKinds {
  readonly prefix: string | undefined;
  readonly writesServerMetrics: boolean;
  readonly writesClientMetrics: boolean;
}

/**
 * Throws `PlanError` if a new run must not use a folder, because another run that writes the same exports is active in
 * it, or because the folder contains the journal of such a run whose exports are not written.
 */
export function checkFolder(folder: string, kinds: WrittenKinds): void {
  for (const { journal, header } of listHeaders(folder)) {
    if (!overlaps(kinds, getWrittenKinds(header))) continue;
    const run = describeRun(folder, journal, header);
    if (run.state === 'active') throw createActiveError(folder, run);
    if (run.state === 'unexported')
      throw new PlanError(
        'folder',
        `contains ${basename(journal)}, the journal of a run whose exports are not written; to write them, run servelens recover ${quoteShellPath(journal)}; or use another folder`,
        folder,
      );
  }
}

/**
 * Throws `PlanError` if another run has started in a folder at the same time. `journal` is the journal of this run.
 * The run that has created its journal first continues.
 */
export function checkConcurrentStart(folder: string, journal: string): void {
  const stem = getStem(journal);
  const number = getNumber(journal);
  for (const run of listJournaledRuns(folder))
    if (run.state === 'active' && getStem(run.journal) === stem && getNumber(run.journal) < number)
      throw createActiveError(folder, run);
}

function createActiveError(folder: string, { pid }: JournaledRun): PlanError {
  return new PlanError(
    'folder',
    `another run is active in this folder (process ${pid}); use another folder, or another prefix for the exports`,
    folder,
  );
}

const NUMBER = /(?:-(\d+))?\.journal$/;

/** Returns the number of a journal, in the order of creation. */
function getNumber(journal: string): number {
  return Number(NUMBER.exec(journal)?.[1] ?? 1);
}

function getStem(journal: string): string {
  return journal.replace(NUMBER, '');
}

function overlaps(a: WrittenKinds, b: WrittenKinds): boolean {
  if (a.prefix !== b.prefix) return false;
  return (a.writesServerMetrics && b.writesServerMetrics) || (a.writesClientMetrics && b.writesClientMetrics);
}

function getWrittenKinds({ exports, profile }: JournalHeader): WrittenKinds {
  return {
    prefix: exports?.prefix,
    writesServerMetrics: exports !== undefined && profile?.hasServers !== false,
    writesClientMetrics: profile !== undefined,
  };
}

function listHeaders(folder: string): { readonly journal: string; readonly header: JournalHeader }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter(name => name.endsWith(JOURNAL_EXTENSION))
    .sort()
    .flatMap(name => {
      const journal = join(folder, name);
      const header = readHeader(journal);
      return header ? [{ journal, header }] : [];
    });
}

/** Reads the first record of a journal; undefined if the file is not a journal, or contains no data. */
function readHeader(journal: string): JournalHeader | undefined {
  try {
    for (const record of readJournal(journal))
      return record.kind === 'run' ? ((record.run ?? {}) as JournalHeader) : {};
  } catch (error) {
    if (!(error instanceof JournalError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return undefined;
}

function describeRun(folder: string, journal: string, header: JournalHeader): JournaledRun {
  const { owner } = header;
  if (owner && isAlive(owner) && !hasEndRecord(journal)) return { journal, state: 'active', pid: owner.pid };
  return { journal, state: hasExports(folder, header) ? 'exported' : 'unexported' };
}

/** Reports whether the exports of a run are in its folder. */
function hasExports(folder: string, { benchmarkId, startNs, exports }: JournalHeader): boolean {
  if (benchmarkId === undefined || exports === undefined) return false;
  const { prefix, formats } = exports;
  const jsonPaths = [getExportPath(folder, prefix, 'json'), getProfilePaths(folder, prefix).json];
  const ids = jsonPaths.map(readBenchmarkId).filter(id => id !== undefined);
  if (ids.length > 0) return ids.includes(benchmarkId);
  // Without JSON, exports contain no ID. They belong to the run if all of them are newer than its start.
  const paths = FORMATS.filter(format => formats.includes(format)).map(format =>
    getExportPath(folder, prefix, format),
  );
  const startMs = Number((startNs ?? 0n) / 1_000_000n);
  return paths.length > 0 && paths.every(path => isRegularFile(path) && statSync(path).mtimeMs >= startMs);
}
