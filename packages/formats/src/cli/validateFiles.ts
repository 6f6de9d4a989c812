import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDataset } from '../parquet/partition.ts';
import { type Input, isUrl } from '../source/openSource.ts';
import { validate } from '../validate/validate.ts';
import { formatReport, type Outcome, type ReportFormat } from './report.ts';

/** Options of `runValidate`. */
export interface RunValidateOptions {
  /** Paths, URLs, folders (all exports in the folder and its subfolders), or `-` for standard input. */
  readonly files: readonly string[];
  /** Format of the report. Default: `human`. */
  readonly format?: ReportFormat;
  /** Report unknown fields and treat warnings as errors. Default: false. */
  readonly strict?: boolean;
  /** Color the human-readable report. Default: false. */
  readonly color?: boolean;
  /** Called with the report. Default: writes it to standard output. */
  readonly write?: (text: string) => void;
}

/** Implements `runValidate`. */
export async function validateFiles(options: RunValidateOptions): Promise<0 | 1> {
  const { strict = false, format = 'human', color = false } = options;
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  if (options.files.length === 0) throw new TypeError('no files given; expected at least one');
  const files = await expandFiles(options.files);
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push({ file, validation: await validate(toInput(file), { strict }) });
  write(formatReport(outcomes, { format, strict, color }));
  return outcomes.every(({ validation }) => validation.valid) ? 0 : 1;
}

/** Converts a name to an input. A path becomes a URL, because `validate` may treat a string as text. */
function toInput(file: string): Input {
  if (file === '-') return process.stdin;
  return isUrl(file) ? new URL(file) : pathToFileURL(file);
}

/** Default file names of exports, with or without a prefix. */
const EXPORT_NAME = new RegExp(
  [
    /(^|_)server_metrics(_export)?\.(json|jsonl|csv|parquet)$/,
    /^profile_export(_aiperf)?(_timeslices)?\.(json|csv)$/,
    /^profile_export_aiperf_(aggregate|collated|sweep)\.json$/,
    /^profile_export_aiperf_(aggregate|sweep)\.csv$/,
    /^profile_export\.jsonl$/,
    /_timeslices\.(json|csv)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Default names of partitioned datasets, which are folders. */
const DATASET_NAME = /(^|_)server_metrics(_export)?$/;

/** Folders that are not searched: they contain no exports, but can contain very many files. */
const SKIPPED_FOLDER = /^(\.|node_modules$)/;

/**
 * Replaces each folder with the exports in the folder and its subfolders, sorted by name. A partitioned
 * dataset is kept as is. A folder without exports or without read permission is kept too, so that validation
 * reports it.
 */
export async function expandFiles(names: readonly string[]): Promise<string[]> {
  return (await Promise.all(names.map(expand))).flat();
}

async function expand(name: string): Promise<string[]> {
  if (!(await isFolder(name)) || (await isReadableDataset(name))) return [name];
  const exportPaths = await findExports(name);
  return exportPaths.length > 0 ? exportPaths : [name];
}

/**
 * Finds the exports in a folder and its subfolders. Symbolic links to folders are not followed, because they
 * can form a cycle. For a folder that cannot be read, returns the folder itself.
 */
async function findExports(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return [folder];
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) paths.push(...(EXPORT_NAME.test(entry.name) ? [path] : []));
    else if (await isReadableDataset(path)) paths.push(...(DATASET_NAME.test(entry.name) ? [path] : []));
    else if (!SKIPPED_FOLDER.test(entry.name)) paths.push(...(await findExports(path)));
  }
  return paths;
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
