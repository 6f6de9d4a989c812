import { open } from 'node:fs/promises';
import type { ProfileExport } from '@org/formats';
import {
  EncodingError,
  FormatError,
  isSourceError,
  readProfileExport,
  readServerMetrics,
  type ServerMetricsView,
} from '@org/formats/read';
import { RunError } from './error.ts';
import { isFolder, locate, type RunFiles } from './locate.ts';
import { type Run, type RunLayout, runOf } from './run.ts';

const HEAD_BYTES = 4096;
const NO_METRICS: ServerMetricsView = { schema_version: '1.0', metrics: {} };

/**
 * Opens a run: its folder, or one of its files (server metrics as JSON of any layout or CSV, or a profile export).
 *
 * What it reads fits its schema; whether its figures fit together is for `validate` of @org/formats.
 *
 * @throws RunError for what is no run, FormatError (in the words of @org/formats) for a file that is broken.
 */
export async function openRun(name: string): Promise<Run> {
  return (await isFolder(name)) ? await openFolder(name) : await openFile(name);
}

async function openFolder(folder: string): Promise<Run> {
  const files = await locate(folder);
  const profile = files.profile === undefined ? undefined : await readProfile(files.profile);
  const notes = files.journal === undefined ? [] : [unfinished(folder)];
  const metrics = await metricsOf(folder, files);
  return runOf({ name: folder, files, notes, ...metrics, ...(profile && { profile }) });
}

/** It is kept on purpose (`--keep-journal`), or the run was killed and its exports may be older than its journal. */
function unfinished(folder: string): string {
  return `a journal lies beside the exports; servelens recover ${folder} makes them again from it`;
}

interface Metrics {
  readonly layout: RunLayout;
  readonly view: ServerMetricsView;
}

async function metricsOf(folder: string, files: RunFiles): Promise<Metrics> {
  if (files.aggregated !== undefined) return await readAggregated(files.aggregated);
  if (files.profile !== undefined) return { layout: 'none', view: NO_METRICS };
  const file = files.parquet ?? files.records;
  throw new RunError(`${JSON.stringify(folder)} has only ${file}; expected the JSON or CSV of the run in it`);
}

async function openFile(file: string): Promise<Run> {
  const head = await firstBytes(file);
  if (isProfile(head)) {
    const profile = await readProfile(file);
    return runOf({ name: file, layout: 'none', files: { profile: file }, view: NO_METRICS, profile });
  }
  return runOf({ name: file, files: { aggregated: file }, ...(await readAggregated(file)) });
}

async function readAggregated(file: string): Promise<Metrics> {
  const head = await firstBytes(file);
  if (head.startsWith('PAR1'))
    throw new RunError(`${JSON.stringify(file)} is a Parquet file; name the JSON or CSV of the run`);
  const view = await reading(file, () => readServerMetrics(file));
  return { layout: layoutOf(view), view };
}

function layoutOf(view: ServerMetricsView): RunLayout {
  if (view.schema_version === 'legacy') return 'legacy';
  return view.summary ? 'json' : 'csv';
}

async function readProfile(file: string): Promise<ProfileExport> {
  return await reading(file, () => readProfileExport(file));
}

async function reading<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FormatError || !isSourceError(error)) throw error;
    const problem = error instanceof EncodingError ? 'it is neither JSON nor CSV' : error.message;
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}

/** Metric blocks stand at the top of a profile export; server metrics have a summary and series. */
function isProfile(head: string): boolean {
  if (!/^\uFEFF?\s*\{/.test(head) || /"(?:endpoints_configured|endpoint_info|series)"\s*:/.test(head))
    return false;
  return /"(?:unit|run_info|error_summary|was_cancelled)"\s*:/.test(head);
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${(error as Error).message}`, { cause: error });
  } finally {
    await handle.close();
  }
}
