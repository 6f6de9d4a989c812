import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { listRunFiles, RunError } from '@org/analysis/files';
import type { RowSource } from './rowSource.ts';
import { findStatementPaths } from './writtenPaths.ts';

/** Identifies a file independently of its path: links and other spellings of a path have the same identity. */
type FileIdentity = string;

/** A file of a queried run. */
interface RunFile {
  readonly path: string;
  readonly realPath: string;
  readonly identity: FileIdentity;
}

/** Protects the files of the queried runs: a result must not overwrite them. */
export class ExportGuard {
  readonly #files: readonly RunFile[];
  /** False once a statement has changed the folder that `~` stands for. */
  #isHomeKnown = true;

  private constructor(files: readonly RunFile[]) {
    this.#files = files;
  }

  /** Protects the Parquet files of `sources`, and all files of the runs in their folders. */
  static async create(sources: readonly RowSource[]): Promise<ExportGuard> {
    const paths = await Promise.all(sources.map(listProtectedPaths));
    const files = await Promise.all([...new Set(paths.flat())].map(identify));
    return new ExportGuard(files.filter(file => file !== undefined));
  }

  /**
   * Checks a path that a result is written to, which may be a folder.
   *
   * @throws RunError if a file of a run would be overwritten
   */
  async checkOutput(output: string): Promise<void> {
    const target = await resolveTarget(output);
    const identity = await readIdentity(output);
    const file = this.#files.find(
      ({ identity: protectedIdentity, realPath }) =>
        protectedIdentity === identity || isWithin(realPath, target) || isWithin(target, realPath),
    );
    if (file === undefined) return;
    throw new RunError(
      `cannot write the result to ${JSON.stringify(output)}: it would overwrite ${JSON.stringify(file.path)}, a file of the run; choose another file`,
    );
  }

  /**
   * Checks the files that the statements write, including statements in the files of `IMPORT DATABASE`.
   *
   * @throws RunError if a file of a run would be overwritten, or if a path is not a literal and cannot be checked
   */
  async checkStatements(sql: string): Promise<void> {
    await this.#check(sql, new Set());
  }

  /** @param importedFiles files that have been checked, so that files that import each other are checked once */
  async #check(sql: string, importedFiles: Set<string>): Promise<void> {
    const { written, imported, changesHome } = findStatementPaths(sql);
    if (changesHome) this.#isHomeKnown = false;
    for (const path of written) await this.checkOutput(this.#toLocalPath(path));
    for (const path of imported) {
      const folder = this.#toLocalPath(path);
      for (const file of ['schema.sql', 'load.sql'].map(name => resolve(folder, name))) {
        if (importedFiles.has(file)) continue;
        importedFiles.add(file);
        // DuckDB reports a file that cannot be read.
        await this.#check(await readFile(file, 'utf8').catch(() => ''), importedFiles);
      }
    }
  }

  /** Converts a path of DuckDB, which may start with `file:` or `~`. */
  #toLocalPath(path: string | undefined): string {
    const withoutScheme = path?.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/, '');
    const isInHome = withoutScheme !== undefined && /^~(?=\/|$)/.test(withoutScheme);
    if (withoutScheme === undefined || (isInHome && !this.#isHomeKnown))
      throw new RunError(
        'paths of COPY ... TO, EXPORT DATABASE, IMPORT DATABASE, logs and profiles must be single quoted literals, without ~ if home_directory is set, and file name options must not contain slashes, so that files of the run are not overwritten',
      );
    return withoutScheme.replace(/^~(?=\/|$)/, homedir());
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? folder : folder + sep);
}

async function listProtectedPaths({ run, parquet, partitioned }: RowSource): Promise<readonly string[]> {
  if (parquet === undefined) return await listRunFiles(run);
  // A partitioned dataset is protected as a folder.
  const path = partitioned ? parquet.slice(0, -'/**/*.parquet'.length) : parquet;
  return [path, ...(await listRunFiles(dirname(path)))];
}

async function identify(path: string): Promise<RunFile | undefined> {
  const identity = await readIdentity(path);
  if (identity === undefined) return undefined;
  return { path, realPath: await realpath(path), identity };
}

async function readIdentity(path: string): Promise<FileIdentity | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Returns the absolute path of a file that may not exist, with links in the path of its folder resolved. */
async function resolveTarget(path: string): Promise<string> {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  return realpath(absolute).catch(async () =>
    parent === absolute ? absolute : join(await resolveTarget(parent), basename(absolute)),
  );
}
