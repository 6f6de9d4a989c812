import { type Dirent, existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describeSystemError, quoteShellPath } from '@org/core';
import {
  AGGREGATE_FOLDER,
  FORMATS,
  findRunFolders,
  getExportPath,
  RUNS_FOLDER,
  RunInputError,
  SWEEP_FOLDER,
} from '@org/record';
import { JournalError } from '@org/scrape';
import { listJournaledRuns } from '../lifecycle/folderUse.ts';
import { PlanError } from '../plan/planError.ts';
import { getPhasePaths, getProfilePaths } from '../profile/profilePaths.ts';
import { type JournaledPlan, PLAN_JOURNAL, readPlan } from './planJournal.ts';
import { AGGREGATE_NAMES } from './writeRepeated.ts';

const SWEPT_VALUE = String.raw`(?:concurrency|mean|rate|requests|smoothness)_\d+(?:\.\d+)?(?:e[+-]?\d+)?`;

/** Names of variations of a sweep, and of variations in earlier versions. */
const VARIATION = new RegExp(`^(?:${SWEPT_VALUE}(?:__${SWEPT_VALUE})*|variation_\\d+_.+)$`);

/**
 * Removes the files of earlier repeated runs or of a sweep from a folder, so that it never contains the runs of two
 * benchmarks. `prefix` is the prefix of the exports. Throws `PlanError` without removing anything if the earlier
 * benchmark is active, if files of it are not written yet, or if its folders contain other files, such as unreadable
 * journals and runs that are not part of a sweep. Throws `RunInputError` if a file cannot be removed.
 */
export async function removeEarlierRuns(folder: string, prefix: string | undefined): Promise<void> {
  if (!existsSync(folder)) return;
  const folders = readdirSync(folder, { withFileTypes: true }).filter(isRunsFolder);
  const files = listFiles(folders);
  checkPlan(folder, files);
  const journals = new Set<string>();
  for (const run of await findRunFolders(folder))
    for (const journal of listExportedJournals(folder, run)) journals.add(journal);
  const names = listExportNames(prefix);
  const foreign = files.find(file => !names.has(file.name) && !journals.has(getPath(file)));
  if (foreign)
    throw new PlanError(
      'folder',
      `contains ${relative(folder, getPath(foreign))} among the runs of an earlier benchmark, which is not one of its exports; move it, or use another folder`,
      folder,
    );
  const single = files.find(file => isSingleRun(folder, file, prefix));
  if (single)
    throw new PlanError(
      'folder',
      `contains ${relative(folder, getPath(single))}, a run that is not part of a sweep; move it, or use another folder`,
      folder,
    );
  try {
    for (const file of files) rmSync(getPath(file), { force: true });
    for (const entry of folders) removeEmptyFolders(getPath(entry));
  } catch (error) {
    throw new RunInputError(
      `cannot remove the runs of an earlier benchmark from ${JSON.stringify(folder)}: ${describeSystemError(error)}`,
    );
  }
}

/** Reports whether a folder contains runs, aggregates, or the exports of a sweep, based on its name. */
function isRunsFolder({ name }: Dirent): boolean {
  return [RUNS_FOLDER, AGGREGATE_FOLDER, SWEEP_FOLDER].includes(name) || VARIATION.test(name);
}

/**
 * Reports whether a file is the export of a run that is not part of a sweep. Such a run may be in a folder that is named
 * like a variation.
 */
function isSingleRun(folder: string, file: Dirent, prefix: string | undefined): boolean {
  const { parentPath } = file;
  if (dirname(parentPath) !== folder || basename(parentPath).startsWith('variation_')) return false;
  const path = getPath(file);
  const exports = [undefined, prefix].map(each => getProfilePaths(parentPath, each).json);
  return exports.includes(path) && !/"sweep_id"\s*:\s*"/.test(readFileSync(path, 'utf8'));
}

function checkPlan(folder: string, files: readonly Dirent[]): void {
  const state = readState(folder);
  if (state === 'active')
    throw new PlanError(
      'folder',
      'other repeated runs are active in this folder; use another folder',
      folder,
    );
  if (state === 'unwritten' && files.length > 0 && !hasNewAggregates(folder, files))
    throw new PlanError(
      'folder',
      `contains ${PLAN_JOURNAL}, the journal of repeated runs whose aggregates are not written; to write them, run servelens recover ${quoteShellPath(folder)}; or use another folder`,
      folder,
    );
}

function readState(folder: string): JournaledPlan['state'] | undefined {
  if (!existsSync(join(folder, PLAN_JOURNAL))) return undefined;
  try {
    return readPlan(folder)?.state;
  } catch (error) {
    // A journal without a plan contains nothing that could be lost.
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}

/** Reports whether aggregates were written after the last record of the plan, as by `servelens recover`. */
function hasNewAggregates(folder: string, files: readonly Dirent[]): boolean {
  const { mtimeMs } = statSync(join(folder, PLAN_JOURNAL));
  return files.some(
    file => AGGREGATE_NAMES.includes(file.name) && statSync(getPath(file)).mtimeMs >= mtimeMs,
  );
}

/** Lists the journals in the folder of a run. Throws `PlanError` unless all their exports are written. */
function listExportedJournals(folder: string, run: string): string[] {
  return listJournaledRuns(run).map(({ journal, state }) => {
    if (state !== 'exported')
      throw new PlanError(
        'folder',
        state === 'active'
          ? `another run is active in ${relative(folder, run)}; use another folder`
          : `contains ${relative(folder, journal)}, the journal of a run whose exports are not written; to write them, run servelens recover ${quoteShellPath(journal)}; or use another folder`,
        folder,
      );
    return journal;
  });
}

/** Lists all entries in the given folders, at any depth, that are not folders. Links are not followed. */
function listFiles(entries: readonly Dirent[]): Dirent[] {
  return entries.flatMap(entry => {
    if (!entry.isDirectory()) return [entry];
    return listFiles(readdirSync(getPath(entry), { withFileTypes: true }));
  });
}

function getPath({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

/** Names of all files in the folders of repeated runs and sweeps, with and without the prefix. */
function listExportNames(prefix: string | undefined): ReadonlySet<string> {
  const prefixes = prefix === undefined ? [undefined] : [undefined, prefix];
  return new Set([
    ...AGGREGATE_NAMES,
    ...prefixes.flatMap(each => [
      ...FORMATS.map(format => getExportPath('', each, format)),
      ...Object.values(getProfilePaths('', each)),
      basename(getPhasePaths('', each, 'profiling').serverMetrics),
    ]),
  ]);
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(getPath(entry));
  rmdirSync(folder);
}
