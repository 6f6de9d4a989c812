import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EncodingError, isSourceError, readServerMetrics, type ServerMetricsView } from '@org/formats/read';

/** What a user named is no run. The message says what would be one. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
}

const JSON_EXPORT = /(?:^|_)server_metrics(?:_export)?\.json$/;
const CSV_EXPORT = /(?:^|_)server_metrics(?:_export)?\.csv$/;

/**
 * The file with the aggregated server metrics of a run: the file itself, or the one in the run's folder, JSON before CSV.
 * Throws `RunError` when there is none, or more than one.
 */
export async function aggregatedFile(run: string): Promise<string> {
  const found = await stat(run).catch(() => undefined);
  if (!found) throw new RunError(`cannot read ${JSON.stringify(run)}: there is no such file or folder`);
  if (!found.isDirectory()) return run;
  const names = (await readdir(run)).sort();
  for (const pattern of [JSON_EXPORT, CSV_EXPORT]) {
    const files = names.filter(name => pattern.test(name));
    if (files.length === 1) return join(run, files[0]!);
    if (files.length > 1) {
      throw new RunError(`${JSON.stringify(run)} has several exports, name one: ${files.join(', ')}`);
    }
  }
  throw new RunError(
    `${JSON.stringify(run)} has no server metrics; expected server_metrics_export.json or .csv in it`,
  );
}

const PARQUET_MAGIC = 'PAR1';

/**
 * The server metrics of a run: of its folder, or of the file itself.
 *
 * @throws RunError for what is no readable text, FormatError for a text that is no server metrics.
 */
export async function readRun(run: string): Promise<ServerMetricsView> {
  const file = await aggregatedFile(run);
  try {
    if ((await firstBytes(file)) === PARQUET_MAGIC)
      throw new RunError(`${JSON.stringify(file)} is a Parquet file; name the JSON or CSV of the run`);
    return await readServerMetrics(file);
  } catch (error) {
    if (!isSourceError(error)) throw error;
    const problem = error instanceof EncodingError ? 'it is neither JSON nor CSV' : error.message;
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PARQUET_MAGIC.length), 0, null, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
