import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { listRunFiles, RunError } from '@org/analysis/files';
import { findWrittenPaths } from './copyTargets.ts';
import type { RowSource } from './rowSource.ts';

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
        protectedIdentity === identity || realPath === target || realPath.startsWith(target + sep),
    );
    if (file === undefined) return;
    throw new RunError(
      `cannot write the result to ${JSON.stringify(output)}: it would overwrite ${JSON.stringify(file.path)}, a file of the run; choose another file`,
    );
  }

  /**
   * Checks the files that the statements write with `COPY ... TO` or `EXPORT DATABASE`.
   *
   * @throws RunError if a file of a run would be overwritten, or if a path is not a literal and cannot be checked
   */
  async checkStatements(sql: string): Promise<void> {
    for (const path of findWrittenPaths(sql)) {
      if (path === undefined)
        throw new RunError(
          'the file of COPY ... TO and EXPORT DATABASE must be a quoted path, so that files of the run are not overwritten',
        );
      await this.checkOutput(toLocalPath(path));
    }
  }
}

/** Converts a path of DuckDB, which may start with `file:` or `~`. */
function toLocalPath(path: string): string {
  const withoutScheme = path.replace(/^file:(?:\/\/(?:localhost(?=\/))?)?/, '');
  return withoutScheme.replace(/^~(?=\/|$)/, homedir());
}

async function listProtectedPaths({ parquet, partitioned }: RowSource): Promise<readonly string[]> {
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
