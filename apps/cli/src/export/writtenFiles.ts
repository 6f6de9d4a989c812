import { stringifyJson } from '@org/formats/write';
import type { RecoveredExports } from '@org/run/recover';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';

/** A file that a command wrote, or could not write. */
export interface WrittenFile {
  readonly path: string;
  /** Format of an export of server metrics, such as `parquet`. */
  readonly format?: string;
  /** Size of the file in bytes. */
  readonly bytes?: number;
  /** The reason why the file could not be written. */
  readonly error?: string;
}

/** The outcome of writing an export of server metrics. */
interface ExportOutcome {
  readonly format: string;
  readonly path: string;
  readonly bytes?: number;
  readonly failure?: string;
}

/** The outcome of writing another file. */
type FileOutcome =
  | { readonly ok: true; readonly path: string; readonly bytes: number }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** Converts the outcomes of exports of server metrics. */
export function listExports(results: readonly ExportOutcome[]): WrittenFile[] {
  return results.map(({ format, path, bytes, failure }) =>
    failure === undefined ? { path, format, bytes: bytes ?? 0 } : { path, format, error: failure },
  );
}

/** Converts the outcomes of other files. */
export function listFiles(files: readonly FileOutcome[]): WrittenFile[] {
  return files.map(file =>
    file.ok ? { path: file.path, bytes: file.bytes } : { path: file.path, error: file.message },
  );
}

/** Lists the files of a recovered run. */
export function listRecovered({ server, profile, gpus }: RecoveredExports): WrittenFile[] {
  return [
    ...listExports(server?.exports.results ?? []),
    ...listFiles([...(profile?.files ?? []), ...(profile?.furtherFiles ?? []), ...(gpus ? [gpus.file] : [])]),
  ];
}

/** Prints the files as JSON, with those that could not be written in `failed`, and logs the reasons. */
export function printWrittenFiles(files: readonly WrittenFile[], io: Io, log: Log): void {
  const written = files.filter(({ error }) => error === undefined);
  const failed = files.filter(({ error }) => error !== undefined);
  io.stdout.write(`${stringifyJson({ files: written, failed }, 2)}\n`);
  for (const { format, error } of failed)
    log.error(format === undefined ? error! : `${format} export failed: ${error}`);
}
