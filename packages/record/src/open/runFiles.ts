import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../usageError.ts';

/** What a run can be exported from again. */
export const SOURCES = ['journal', 'parquet', 'jsonl'] as const;
export type SourceKind = (typeof SOURCES)[number];

/** The files of one run in a folder. */
export interface RunFiles {
  readonly folder: string;
  /** What the names begin with; undefined for `server_metrics_export.*`. */
  readonly prefix?: string;
  readonly files: Readonly<Partial<Record<SourceKind | 'json', string>>>;
}

/** Name of an export or a journal: prefix (or `_export` behind the name), counter of a journal, kind. */
const NAME = /^(?:(.+)_)?server_metrics(?:_export)?(?:-\d+)?\.(json|jsonl|parquet|journal)$/;

/**
 * The files of the run that a user means: of a folder the only run in it, or that of `--prefix`; of a file just it, and
 * beside it what belongs to it. Throws `UsageError`, naming what there is.
 */
export async function runFilesOf(fileOrFolder: string, prefix: string | undefined): Promise<RunFiles> {
  const found = await stat(fileOrFolder).catch((error: Error) => {
    throw new UsageError(`cannot read ${JSON.stringify(fileOrFolder)}: ${error.message}`);
  });
  if (found.isDirectory()) return onlyRun(fileOrFolder, await namesIn(fileOrFolder), prefix);
  const folder = dirname(fileOrFolder);
  const match = NAME.exec(basename(fileOrFolder));
  if (!match) throw new UsageError(`${JSON.stringify(fileOrFolder)} is called like no export and no journal`);
  const { files } = onlyRun(folder, await namesIn(folder), match[1] ?? '', basename(fileOrFolder));
  const kind = match[2] as keyof RunFiles['files'];
  const own = { ...(files.json === undefined ? {} : { json: files.json }), [kind]: fileOrFolder };
  return { folder, ...(match[1] === undefined ? {} : { prefix: match[1] }), files: own };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

function onlyRun(
  folder: string,
  names: readonly string[],
  wanted: string | undefined,
  chosen?: string,
): RunFiles {
  const runs = new Map<string, Map<string, string[]>>();
  for (const name of names) {
    const [, prefix = '', kind] = NAME.exec(name) ?? [];
    if (kind === undefined) continue;
    const files = runs.get(prefix) ?? new Map<string, string[]>();
    runs.set(prefix, files.set(kind, [...(files.get(kind) ?? []), name]));
  }
  const prefixes = [...runs.keys()];
  const prefix = wanted ?? (prefixes.length === 1 ? prefixes[0] : undefined);
  const shown = prefixes.map(one => (one === '' ? 'server_metrics_export.*' : `${one}_server_metrics.*`));
  if (prefixes.length === 0)
    throw new UsageError(`${JSON.stringify(folder)} has no journal, Parquet, JSONL or JSON export`);
  if (prefix === undefined || !runs.has(prefix)) {
    throw new UsageError(
      `${JSON.stringify(folder)} has the runs ${shown.join(', ')}; name one with --prefix, or one of its files`,
    );
  }
  const files = [...runs.get(prefix)!].map(([kind, all]) => [kind, only(folder, all, chosen)] as const);
  return { folder, ...(prefix === '' ? {} : { prefix }), files: Object.fromEntries(files) };
}

/** A second run in one folder overwrites exports, but never a journal. */
function only(folder: string, names: readonly string[], chosen: string | undefined): string {
  if (names.length === 1 || chosen !== undefined) return join(folder, names[0]!);
  throw new UsageError(`${JSON.stringify(folder)} has ${names.join(' and ')}; name one of them`);
}
