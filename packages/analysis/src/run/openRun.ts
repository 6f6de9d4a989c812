import {
  EncodingError,
  FormatError,
  isSourceError,
  readProfileExport,
  readProfileMetrics,
  readProfileTimeslices,
  readServerMetrics,
  type ServerMetricsView,
  type Source,
} from '@org/formats/read';
import { openInput } from './input.ts';
import { createRun, type Run, type RunLayout, type RunParts } from './run.ts';
import { RunError } from './runError.ts';
import { createNoRunError, createRunSetError, findRunFiles, isFolder, type RunFiles } from './runFiles.ts';

const NO_METRICS: ServerMetricsView = { schema_version: '1.0', metrics: {} };

/**
 * Opens a run: its folder, or one of its files (server metrics as JSON of any layout, CSV, Parquet or JSONL, or a profile
 * export). Of a folder the first of these is read, and the profile export beside it. What comes out of a pipe is read once.
 *
 * What it reads fits its schema; whether its figures fit together is for `validate` of @org/formats.
 *
 * @throws RunError for what is no run, FormatError (in the words of @org/formats) for a file that is broken.
 */
export async function openRun(name: string): Promise<Run> {
  return (await isFolder(name)) ? await openFolder(name) : await openFile(name);
}

async function openFolder(folder: string): Promise<Run> {
  const files = await findRunFiles(folder);
  const client = await clientOf(files);
  const notes = files.journal === undefined ? [] : [unfinished(folder)];
  const metrics = await metricsOf(folder, files);
  return createRun({
    name: folder,
    files,
    ...metrics,
    notes: [...notes, ...(metrics.notes ?? [])],
    ...client,
  });
}

/** It is kept on purpose (`--keep-journal`), or the run was killed and its exports may be older than its journal. */
function unfinished(folder: string): string {
  return `a journal lies beside the exports; servelens recover ${folder} makes them again from it`;
}

interface Metrics {
  readonly layout: RunLayout;
  readonly view: ServerMetricsView;
  readonly notes?: readonly string[];
}

async function metricsOf(folder: string, files: RunFiles): Promise<Metrics> {
  const file = files.aggregated ?? files.parquet ?? files.records;
  if (file !== undefined) return await readMetrics(file, await sourceOf(file));
  if (files.profile !== undefined) return { layout: 'none', view: NO_METRICS };
  throw createNoRunError(folder, files.journal);
}

async function openFile(file: string): Promise<Run> {
  const source = await sourceOf(file);
  const head = headOf(source);
  if (/"aggregation_type"\s*:/.test(head)) throw createRunSetError(file);
  if (isProfile(head)) {
    const client = await profileOf(file, source);
    return createRun({ name: file, layout: 'none', files: { profile: file }, view: NO_METRICS, ...client });
  }
  const metrics = await readMetrics(file, source);
  const kind = { parquet: 'parquet', jsonl: 'records' }[metrics.layout as string] ?? 'aggregated';
  return createRun({ name: file, files: { [kind]: file }, ...metrics });
}

/** The aggregated export as it stands; of an export that has only samples the statistics are computed. */
async function readMetrics(file: string, source: Source): Promise<Metrics> {
  const head = headOf(source);
  if (head.startsWith('PAR1')) {
    const { readParquetRun } = await import('./parquetRun.ts');
    const view = await reading(file, () => readParquetRun(file, source));
    return { layout: 'parquet', view, notes: [] };
  }
  if (isRecord(head)) {
    const { RECORDS_NOTE, readRecordsRun } = await import('./jsonlRun.ts');
    return {
      layout: 'jsonl',
      view: await reading(file, () => readRecordsRun(file, source)),
      notes: [RECORDS_NOTE],
    };
  }
  if (isRequest(head))
    throw new RunError(
      `${JSON.stringify(file)} has single requests; name profile_export_aiperf.json or its folder`,
    );
  const view = await reading(file, () => readServerMetrics(source));
  return { layout: layoutOf(view), view };
}

/** A record is an object on a line of its own. */
function isRecord(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return (
    /^\s*\{/.test(line) &&
    /"timestamp_ns"\s*:/.test(line) &&
    /"(?:endpoint_url|endpoint_latency_ns)"\s*:/.test(line)
  );
}

/** A line of profile_export.jsonl: what one request was, and its metrics. */
function isRequest(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return /^\s*\{\s*"metadata"\s*:/.test(line) && /"request_(?:start|end|ack)_ns"/.test(line);
}

function layoutOf(view: ServerMetricsView): RunLayout {
  if (view.schema_version === 'legacy') return 'legacy';
  return view.summary ? 'json' : 'csv';
}

type Client = Pick<RunParts, 'profile' | 'clientMetrics' | 'clientTimeslices'>;

/** What the client measured in a folder. */
async function clientOf({ profile: file, timeslices }: RunFiles): Promise<Client> {
  if (file === undefined) return {};
  const windows =
    timeslices === undefined
      ? undefined
      : await reading(timeslices, async () => readProfileTimeslices(await openInput(timeslices)));
  return {
    ...(await profileOf(file, await sourceOf(file))),
    ...(windows && { clientTimeslices: windows }),
  };
}

/** A profile export: of a CSV only its metrics are known. */
async function profileOf(file: string, source: Source): Promise<Client> {
  if (/^\uFEFF?\s*\{/.test(headOf(source)))
    return { profile: await reading(file, () => readProfileExport(source)) };
  return { clientMetrics: await reading(file, () => readProfileMetrics(source)) };
}

async function reading<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isKnown = isSourceError(error) || (error instanceof Error && error.name === 'ParquetError');
    if (error instanceof FormatError || !isKnown) throw error;
    const problem = error instanceof EncodingError ? 'it is neither JSON nor CSV' : (error as Error).message;
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}

/** Metric blocks stand at the top of a profile export; server metrics have a summary and series. */
function isProfile(head: string): boolean {
  if (/^\uFEFF?Metric,/.test(head)) return true;
  if (isRequest(head) || !/^\uFEFF?\s*\{/.test(head)) return false;
  if (/"(?:endpoints_configured|endpoint_info|series)"\s*:/.test(head)) return false;
  return /"(?:unit|run_info|error_summary|was_cancelled)"\s*:/.test(head);
}

async function sourceOf(file: string): Promise<Source> {
  return await reading(file, () => openInput(file));
}

function headOf({ head }: Source): string {
  return Buffer.from(head).toString('utf8');
}
