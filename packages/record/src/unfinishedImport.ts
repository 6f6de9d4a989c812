import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quoteShellPath } from '@org/core/shellWord';

/** Name of the folder with the data that an import has read, in its artifact folder. It is removed after the exports are written. */
export const IMPORT_FOLDER = 'server_metrics.import';
/** Name of the file in this folder that describes the import. */
export const IMPORT_PLAN_FILE = 'plan.json';

/** Reports whether a folder contains the data of an import whose exports are not written. */
export function hasUnfinishedImport(folder: string): boolean {
  return existsSync(join(folder, IMPORT_FOLDER, IMPORT_PLAN_FILE));
}

/** Describes an unfinished import in a folder without exports; undefined if there is none. */
export function describeUnfinishedImport(folder: string): string | undefined {
  if (!hasUnfinishedImport(folder)) return undefined;
  return `${JSON.stringify(folder)} contains an unfinished import, and no exports; to continue it, run the same servelens import command with --artifact-dir ${quoteShellPath(folder)}`;
}
