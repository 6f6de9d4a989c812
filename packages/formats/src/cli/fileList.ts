import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDataset } from '../parquet/partition.ts';
import { fromPath, type Input } from '../source/input.ts';
import { type ValidateOptions, validate } from '../validate/validate.ts';
import { createNameMatcher, type ExportContext, findExportPrefixes } from './exportNames.ts';
import { findReadError, formatReport, type Outcome, type ReportFormat } from './report.ts';

/** Options of `validateFiles`. */
export interface ValidateFilesOptions extends ValidateOptions {
  /** Paths, `http` or `https` URLs, folders (all exports in the folder and its subfolders), or `-` for standard input. */
  readonly files: readonly string[];
  /** Format of the report. Default: `human`. */
  readonly format?: ReportFormat;
  /** Color the human-readable report. Default: false. */
  readonly color?: boolean;
}

/** Result of `validateFiles`. */
export interface FilesValidation {
  /** 0 if all files are valid, 1 if a file is invalid, 2 if a file or folder cannot be read. */
  readonly exitCode: 0 | 1 | 2;
  /** The result of each file, in the order of the arguments and, in folders, by name. */
  readonly outcomes: readonly Outcome[];
  /** The text that the command prints. */
  readonly report: string;
}

/** Implements `validateFiles`. */
export async function validateFileList(options: ValidateFilesOptions): Promise<FilesValidation> {
  const { strict = false, format = 'human', color = false } = options;
  if (options.files.length === 0) throw new TypeError('no files given; expected at least one');
  const files = await expandFiles(options.files, options.checkJournal !== undefined);
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push({ file, validation: await validate(toInput(file), options) });
  return {
    exitCode: findExitCode(outcomes),
    outcomes,
    report: formatReport(outcomes, { format, strict, color }),
  };
}

/** Returns the exit code. As in grep and diff, a file that cannot be read takes precedence over an invalid one. */
function findExitCode(outcomes: readonly Outcome[]): 0 | 1 | 2 {
  if (outcomes.some(({ validation }) => findReadError(validation))) return 2;
  return outcomes.every(({ validation }) => validation.valid) ? 0 : 1;
}

function toInput(file: string): Input {
  if (file === '-') return process.stdin;
  return /^(https?|file):\/\//i.test(file) && URL.canParse(file) ? new URL(file) : fromPath(file);
}

/** Default names of partitioned datasets, which are folders. */
const DATASET_NAME = /^server_metrics_export$|_server_metrics(_export)?$/;

/** Folders that are not searched: they contain no exports, but can contain very many files. */
const SKIPPED_FOLDER = /^(\.|node_modules$)/;

/**
 * Replaces each folder with the files of runs in the folder and its subfolders, sorted by name. A partitioned
 * dataset is kept as is. A folder without such files or without read permission is kept too, so that validation
 * reports it.
 *
 * @param withJournals whether journals count as exports
 */
export async function expandFiles(names: readonly string[], withJournals = false): Promise<string[]> {
  const context = { prefixes: new Set<string>(), withJournals };
  return (await Promise.all(names.map(name => expand(name, context)))).flat();
}

async function expand(name: string, context: ExportContext): Promise<string[]> {
  if (!(await isFolder(name)) || (await isReadableDataset(name))) return [name];
  const paths = await findFiles(name, context);
  return paths.length > 0 ? paths : [name];
}

/**
 * Finds the files of runs in a folder and its subfolders. Symbolic links to folders are not followed, because they
 * can form a cycle. For a folder that cannot be read, returns the folder itself.
 */
async function findFiles(folder: string, context: ExportContext): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return [folder];
  const names = entries.map(entry => entry.name);
  const prefixes = new Set([...context.prefixes, ...findExportPrefixes(names)]);
  const isRunFile = createNameMatcher(names, { ...context, prefixes });
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (isRunFile(entry.name) && !(await isSpecialFile(path))) paths.push(path);
    } else if (await isReadableDataset(path)) paths.push(...(DATASET_NAME.test(entry.name) ? [path] : []));
    else if (!SKIPPED_FOLDER.test(entry.name))
      paths.push(...(await findFiles(path, { ...context, prefixes })));
  }
  return paths;
}

/** Reports whether a path is a named pipe, a device or a socket, or a link to one. Reading it could block forever. */
async function isSpecialFile(path: string): Promise<boolean> {
  return await stat(path).then(
    stats => !stats.isFile() && !stats.isDirectory(),
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  );
}

async function isReadableDataset(folder: string): Promise<boolean> {
  return await isDataset(folder).catch(() => false);
}
