import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { RunInputError } from '../runInputError.ts';

/** The kinds of files that contain samples, from the most to the least complete. */
export const SOURCES = ['journal', 'parquet', 'jsonl'] as const;
export type SourceKind = (typeof SOURCES)[number];

/** The files of one run in a folder. */
export interface RunFiles {
  readonly folder: string;
  /** The prefix of the file names; undefined for `server_metrics_export.*`. */
  readonly prefix?: string;
  readonly files: Readonly<Partial<Record<SourceKind | 'json', string>>>;
}

/** Matches the name of an export or a journal: optional prefix, `_export` if there is no prefix, optional journal number, extension. */
const FILE_NAME = /^(?:(.+)_)?server_metrics(?:_export)?(?:-\d+)?\.(json|jsonl|parquet|journal)$/;

/**
 * Finds the files of a run. In a folder with several runs, `prefix` selects the run. If a single file is given, returns only
 * that file and its JSON export.
 *
 * @throws RunInputError if no run is found or the choice is ambiguous; the message lists the choices
 */
export async function findRunFiles(fileOrFolder: string, prefix: string | undefined): Promise<RunFiles> {
  const stats = await stat(fileOrFolder).catch((error: Error) => {
    throw new RunInputError(`cannot read ${JSON.stringify(fileOrFolder)}: ${describeSystemError(error)}`);
  });
  if (stats.isDirectory()) return selectRun(fileOrFolder, await listNames(fileOrFolder), prefix);
  const folder = dirname(fileOrFolder);
  const match = FILE_NAME.exec(basename(fileOrFolder));
  if (!match) {
    throw new RunInputError(
      `unrecognized file name ${JSON.stringify(fileOrFolder)}; expected a name such as server_metrics.journal or server_metrics_export.parquet`,
    );
  }
  const { files } = selectRun(folder, await listNames(folder), match[1] ?? '', basename(fileOrFolder));
  const kind = match[2] as keyof RunFiles['files'];
  return {
    folder,
    ...(match[1] === undefined ? {} : { prefix: match[1] }),
    files: { ...(files.json === undefined ? {} : { json: files.json }), [kind]: fileOrFolder },
  };
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
): RunFiles {
  const runs = groupByPrefix(names);
  const prefixes = [...runs.keys()];
  const prefix = requestedPrefix ?? (prefixes.length === 1 ? prefixes[0] : undefined);
  if (prefixes.length === 0)
    throw new RunInputError(`no journal, Parquet, JSONL or JSON export in ${JSON.stringify(folder)}`);
  if (prefix === undefined || !runs.has(prefix)) {
    const choices = prefixes.map(name =>
      name === '' ? 'server_metrics_export.*' : `${name}_server_metrics.*`,
    );
    throw new RunInputError(
      requestedPrefix === undefined
        ? `${JSON.stringify(folder)} contains several runs: ${choices.join(', ')}; select one with --prefix, or specify one of its files`
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
    const [, prefix = '', kind] = FILE_NAME.exec(name) ?? [];
    if (kind === undefined) continue;
    const files = runs.get(prefix) ?? new Map<string, string[]>();
    runs.set(prefix, files.set(kind, [...(files.get(kind) ?? []), name]));
  }
  return runs;
}

/** Selects one of several files of a kind. Only journals can be ambiguous: a second run in a folder replaces all exports. */
function selectFile(folder: string, names: readonly string[], chosenFile: string | undefined): string {
  if (names.length === 1 || chosenFile !== undefined) return join(folder, names[0]!);
  throw new RunInputError(`${JSON.stringify(folder)} contains ${names.join(' and ')}; specify one of them`);
}
