import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { parseExportName } from '../exportFormats.ts';
import { RunInputError } from '../runInputError.ts';
import { describeUnfinishedImport } from '../unfinishedImport.ts';

/** The kinds of files that contain samples, from the most to the least complete. */
export const SOURCES = ['journal', 'parquet', 'jsonl'] as const;
export type SourceKind = (typeof SOURCES)[number];

/** The files of one run that contain its samples, and its JSON export. */
export interface SampleFiles {
  readonly folder: string;
  /** The prefix of the file names; undefined for `server_metrics_export.*`. */
  readonly prefix?: string;
  readonly files: Readonly<Partial<Record<SourceKind | 'json', string>>>;
}

/**
 * Finds the files of a run. In a folder with several runs, `prefix` selects the run. If a single file is
 * given, returns only that file and its JSON export.
 *
 * @throws RunInputError if no run is found or the choice is ambiguous; the message lists the choices
 */
export async function findSampleFiles(
  fileOrFolder: string,
  prefix: string | undefined,
): Promise<SampleFiles> {
  const stats = await stat(fileOrFolder).catch((error: Error) => {
    throw new RunInputError(`cannot read ${JSON.stringify(fileOrFolder)}: ${describeSystemError(error)}`);
  });
  if (stats.isDirectory()) return selectRun(fileOrFolder, await listNames(fileOrFolder), prefix);
  const folder = dirname(fileOrFolder);
  const name = parseSampleFileName(basename(fileOrFolder));
  if (!name) {
    throw new RunInputError(
      `unrecognized file name ${JSON.stringify(fileOrFolder)}; expected a name such as server_metrics.journal or server_metrics_export.parquet`,
    );
  }
  const { files } = selectRun(folder, await listNames(folder), name.prefix ?? '', basename(fileOrFolder));
  return {
    folder,
    ...(name.prefix === undefined ? {} : { prefix: name.prefix }),
    files: { ...(files.json === undefined ? {} : { json: files.json }), [name.kind]: fileOrFolder },
  };
}

function parseSampleFileName(
  name: string,
): { readonly prefix?: string; readonly kind: keyof SampleFiles['files'] } | undefined {
  const parsedName = parseExportName(name);
  if (!parsedName || parsedName.extension === 'csv') return undefined;
  const { prefix, extension } = parsedName;
  return { ...(prefix === undefined ? {} : { prefix }), kind: extension };
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

type NamesByKind = Map<string, string[]>;

function selectRun(
  folder: string,
  names: readonly string[],
  requestedPrefix: string | undefined,
  chosenFile?: string,
): SampleFiles {
  const runs = groupByPrefix(names);
  const prefixes = [...runs.keys()];
  const prefix = requestedPrefix ?? (prefixes.length === 1 ? prefixes[0] : undefined);
  if (prefixes.length === 0)
    throw new RunInputError(
      describeUnfinishedImport(folder) ??
        `no journal, Parquet, JSONL or JSON export in ${JSON.stringify(folder)}`,
    );
  if (prefix === undefined || !runs.has(prefix)) {
    const choices = prefixes.map(name =>
      name === '' ? 'server_metrics_export.*' : `${name}_server_metrics.*`,
    );
    throw new RunInputError(
      requestedPrefix === undefined
        ? `${JSON.stringify(folder)} contains several runs: ${choices.join(', ')}; select one by its prefix, or specify one of its files`
        : `no run with the prefix ${JSON.stringify(requestedPrefix)} in ${JSON.stringify(folder)}; found ${choices.join(', ')}`,
    );
  }
  const files = [...runs.get(prefix)!].map(
    ([kind, candidates]) => [kind, selectFile(folder, candidates, chosenFile)] as const,
  );
  return { folder, ...(prefix === '' ? {} : { prefix }), files: Object.fromEntries(files) };
}

function groupByPrefix(names: readonly string[]): Map<string, NamesByKind> {
  const runs = new Map<string, NamesByKind>();
  for (const name of names) {
    const parsedName = parseSampleFileName(name);
    if (!parsedName) continue;
    const { prefix = '', kind } = parsedName;
    const files = runs.get(prefix) ?? new Map<string, string[]>();
    runs.set(prefix, files.set(kind, [...(files.get(kind) ?? []), name]));
  }
  return runs;
}

/**
 * Selects one of several files of a kind. Only journals can be ambiguous: a second run in a folder replaces
 * all exports.
 */
function selectFile(folder: string, names: readonly string[], chosenFile: string | undefined): string {
  if (names.length === 1 || chosenFile !== undefined) return join(folder, names[0]!);
  throw new RunInputError(`${JSON.stringify(folder)} contains ${names.join(' and ')}; specify one of them`);
}
