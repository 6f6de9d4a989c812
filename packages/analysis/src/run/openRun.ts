import { quoteShellPath } from '@org/core';
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
import { readRunServers } from '@org/record/servers';
import { type DefinitionFile, extendBuiltInServers, type ServerCatalog } from '@org/servers';
import { readServedEnergy } from './gpuEnergy.ts';
import { readRunGpus } from './gpuSamples.ts';
import { isFolder, openInput, RunError } from './input.ts';
import { createRun, type Run, type RunLayout, type RunParts } from './run.ts';
import {
  createNoRunError,
  createRunSetError,
  findRunFiles,
  type RunFiles,
  selectAggregates,
} from './runFiles.ts';
import { readTimes } from './runTimes.ts';
import { findWindow } from './statisticsWindow.ts';

const NO_METRICS: ServerMetricsView = { schema_version: '1.0', metrics: {} };

/** Options of `openRun`. */
export interface OpenOptions {
  /** Definitions of servers in addition to the built-in ones and those that the run recorded. */
  readonly servers?: readonly DefinitionFile[];
  /**
   * Read only the aggregated exports of a folder: no samples, timeslices of the client or GPU samples, and no server metrics
   * that would have to be computed from samples; false by default.
   */
  readonly aggregatesOnly?: boolean;
  /**
   * Skip the timeslices of metrics of known servers that no chart and no finding uses; false by default. Comparisons need all
   * timeslices.
   */
  readonly skipsUnusedSlices?: boolean;
}

/**
 * Opens a run by its folder or by one of its files: server metrics as JSON of any layout, CSV, Parquet or JSONL, or
 * a profile export. In a folder, reads the first existing format of server metrics in this order, and the profile
 * export. A pipe is read only once.
 *
 * Files are checked against their schema. To check that their values are consistent, use `validate` of
 * @org/formats.
 *
 * @throws RunError if there is no run, FormatError if a file is invalid
 */
export async function openRun(
  name: string,
  { servers = [], aggregatesOnly = false, skipsUnusedSlices = false }: OpenOptions = {},
): Promise<Run> {
  const reading = { added: servers, skipsUnusedSlices };
  return (await isFolder(name))
    ? await openFolder(name, reading, aggregatesOnly)
    : await openFile(name, reading);
}

/** Options for reading server metrics. */
interface Reading {
  /** Definitions of servers in addition to the built-in ones and those that the run recorded. */
  readonly added: Definitions;
  readonly skipsUnusedSlices: boolean;
}

async function openFolder(folder: string, reading: Reading, aggregatesOnly: boolean): Promise<Run> {
  const { added } = reading;
  const found = await findRunFiles(folder);
  const files = aggregatesOnly ? selectAggregates(found) : found;
  const { problem, ...client } = await readFolderClient(files);
  const notes = [
    ...(problem === undefined ? [] : [problem]),
    ...(files.journal === undefined ? [] : [describeJournal(folder)]),
    ...(files.profile === undefined && files.requests !== undefined ? [MISSING_PROFILE] : []),
  ];
  const metrics = await readFolderMetrics(folder, files, reading);
  const { servers, problems } = await findServers(metrics.view, client.profile, added);
  const energy = files.profile === undefined ? await readServedEnergy(folder) : undefined;
  return createRun({
    name: folder,
    files,
    ...metrics,
    notes: [...notes, ...(metrics.notes ?? []), ...(energy?.notes ?? []), ...problems],
    ...(energy ? { clientMetrics: energy.metrics, gpuServers: energy.servers } : {}),
    ...client,
    gpus: files.gpuTelemetry === undefined ? [] : await readRunGpus(files.gpuTelemetry),
    servers,
  });
}

type Definitions = readonly DefinitionFile[];

/** Finds the servers that are understood in a run, from the definitions in its files and `added`. */
async function findServers(
  view: ServerMetricsView,
  profile: RunParts['profile'],
  added: Definitions,
): Promise<{ readonly servers: ServerCatalog; readonly problems: readonly string[] }> {
  const config = view.servelens_config ?? profile?.servelens_config;
  const { catalog, problems } = await readRunServers(config, added);
  return { servers: catalog, problems };
}

/**
 * Formats the note about a journal next to exports. The journal was kept with `--keep-journal`, or the run was
 * killed and the exports may be from an earlier run.
 */
function describeJournal(folder: string): string {
  return `the folder contains a journal; to replace the exports with its data, run servelens recover ${quoteShellPath(folder)}`;
}

const MISSING_PROFILE =
  'there is no summary of the requests, such as profile_export_aiperf.json: the run was killed, or all requests failed';

/** Server metrics, and the kind of file that they were read from. */
interface MetricsWithLayout {
  readonly layout: RunLayout;
  readonly view: ServerMetricsView;
  readonly notes?: readonly string[];
}

/**
 * Reads the server metrics of a folder from the first file that can be read. If the statistics of the JSON export do not
 * cover the profiling phase, or if this is unknown, they are computed again from its samples.
 */
async function readFolderMetrics(
  folder: string,
  files: RunFiles,
  reading: Reading,
): Promise<MetricsWithLayout> {
  const candidates = listMetricsFiles(files);
  const hasRequests =
    files.profile !== undefined || (files.requests !== undefined && files.journal === undefined);
  const problems: string[] = [];
  for (const [index, file] of candidates.entries()) {
    try {
      const metrics = await readMetrics(file, await openFileSource(file), reading);
      const recomputed = await recompute(metrics, files, reading.added);
      return { ...recomputed, notes: [...problems, ...(recomputed.notes ?? [])] };
    } catch (error) {
      const isLast = index === candidates.length - 1;
      if ((isLast && !hasRequests) || !isReadError(error)) throw error;
      problems.push(`${(error as Error).message.split('\n')[0]}`);
    }
  }
  if (hasRequests) return { layout: 'none', view: NO_METRICS, notes: problems };
  throw createNoRunError(folder, files.journal);
}

/** Lists the files with server metrics, best first. CSV contains no times, and JSONL no types of metrics. */
function listMetricsFiles({ aggregated, csv, parquet, records }: RunFiles): string[] {
  const json = aggregated === csv ? undefined : aggregated;
  return [json, parquet, csv, records].filter(file => file !== undefined);
}

function isReadError(error: unknown): boolean {
  return error instanceof FormatError || error instanceof RunError;
}

async function recompute(
  metrics: MetricsWithLayout,
  files: RunFiles,
  added: Definitions,
): Promise<MetricsWithLayout> {
  const { aggregated: json, records: jsonl, parquet } = files;
  const hasSamples = jsonl !== undefined || parquet !== undefined;
  if (metrics.layout !== 'json' || json === undefined || !hasSamples) return metrics;
  if (!findWindow(metrics.view, readTimes(metrics.view, undefined))) return metrics;
  const { recomputeMetrics } = await import('./sampledMetrics.ts');
  return { layout: 'json', ...(await recomputeMetrics(metrics.view, { json, jsonl, parquet }, added)) };
}

async function openFile(file: string, reading: Reading): Promise<Run> {
  const { added } = reading;
  const source = await openFileSource(file);
  const head = decodeHead(source);
  if (/"aggregation_type"\s*:/.test(head)) throw createRunSetError(file);
  if (isProfile(head)) {
    const client = await readProfile(file, source);
    const { servers, problems } = await findServers(NO_METRICS, client.profile, added);
    return createRun({
      name: file,
      layout: 'none',
      files: { profile: file },
      view: NO_METRICS,
      ...client,
      notes: problems,
      servers,
    });
  }
  const metrics = await readMetrics(file, source, reading);
  const { servers, problems } = await findServers(metrics.view, undefined, added);
  const kind = { parquet: 'parquet', jsonl: 'records' }[metrics.layout as string] ?? 'aggregated';
  const notes = [...(metrics.notes ?? []), ...problems];
  return createRun({ name: file, files: { [kind]: file }, ...metrics, notes, servers });
}

/** Reads server metrics. Computes the statistics if the file contains only samples. */
async function readMetrics(file: string, source: Source, reading: Reading): Promise<MetricsWithLayout> {
  const { added } = reading;
  const head = decodeHead(source);
  if (head === '')
    throw new RunError(
      `cannot read ${JSON.stringify(file)}: the file is empty; its writer was probably killed`,
    );
  if (head.startsWith('PAR1')) {
    const { readParquetMetrics } = await import('./sampledMetrics.ts');
    return { layout: 'parquet', ...(await withReadErrors(file, () => readParquetMetrics(source, added))) };
  }
  if (isRecord(head)) {
    const { readJsonlMetrics } = await import('./sampledMetrics.ts');
    return { layout: 'jsonl', ...(await withReadErrors(file, () => readJsonlMetrics(source, added))) };
  }
  if (isRequest(head))
    throw new RunError(
      `${JSON.stringify(file)} contains individual requests; specify profile_export_aiperf.json or its folder`,
    );
  const view = await withReadErrors(file, () => readAggregated(source, reading));
  return { layout: detectLayout(view), view };
}

/** Reads aggregated server metrics, without unused timeslices if they are skipped and the run has no other servers. */
async function readAggregated(
  source: Source,
  { added, skipsUnusedSlices }: Reading,
): Promise<ServerMetricsView> {
  // Pipes and compressed files can be read only once, and are read completely anyway.
  if (!skipsUnusedSlices || source.file === undefined) return await readServerMetrics(source);
  const catalog = extendBuiltInServers(added);
  const skipsSlices = (name: string): boolean => catalog.isKnown(name) && !catalog.isUsed(name);
  const view = await readServerMetrics(source, { skipsSlices });
  const { definitions } = await readRunServers(view.servelens_config);
  return definitions.length === 0 ? view : await readServerMetrics(source);
}

/** Reports whether a file contains raw scrape records as JSONL, based on its first line. */
function isRecord(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return (
    /^\s*\{/.test(line) &&
    /"timestamp_ns"\s*:/.test(line) &&
    /"(?:endpoint_url|endpoint_latency_ns)"\s*:/.test(line)
  );
}

/** Reports whether a file contains individual requests, like profile_export.jsonl, based on its first line. */
function isRequest(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return /^\s*\{\s*"metadata"\s*:/.test(line) && /"request_(?:start|end|ack)_ns"/.test(line);
}

function detectLayout(view: ServerMetricsView): RunLayout {
  if (view.schema_version === 'legacy') return 'legacy';
  return view.summary ? 'json' : 'csv';
}

/** The data of the load generator. */
type ClientData = Pick<RunParts, 'profile' | 'clientMetrics' | 'clientTimeslices'>;

/**
 * Reads the exports of the load generator in a folder. If they cannot be read, but the folder has server metrics, returns
 * the problem.
 */
async function readFolderClient(files: RunFiles): Promise<ClientData & { readonly problem?: string }> {
  try {
    return await readClient(files);
  } catch (error) {
    const hasMetrics = [files.aggregated, files.records, files.parquet].some(file => file !== undefined);
    if (!hasMetrics || !isReadError(error)) throw error;
    return { problem: `client metrics are missing: ${(error as Error).message}` };
  }
}

async function readClient({ profile: file, timeslices }: RunFiles): Promise<ClientData> {
  if (file === undefined) return {};
  const clientTimeslices =
    timeslices === undefined
      ? undefined
      : await withReadErrors(timeslices, async () => readProfileTimeslices(await openInput(timeslices)));
  return {
    ...(await readProfile(file, await openFileSource(file))),
    ...(clientTimeslices && { clientTimeslices }),
  };
}

/** Reads a profile export. A CSV contains only metrics. */
async function readProfile(file: string, source: Source): Promise<ClientData> {
  if (/^\uFEFF?\s*\{/.test(decodeHead(source)))
    return { profile: await withReadErrors(file, () => readProfileExport(source)) };
  return { clientMetrics: await withReadErrors(file, () => readProfileMetrics(source)) };
}

/** Names of error classes in modules that are loaded on demand. Importing a class would load its module. */
const KNOWN_ERRORS: ReadonlySet<string> = new Set(['ParquetError', 'RunInputError']);

/** Runs `read`, and converts errors about the contents of a file to `RunError`, except `FormatError`. */
async function withReadErrors<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isKnown = isSourceError(error) || (error instanceof Error && KNOWN_ERRORS.has(error.name));
    if (error instanceof FormatError || !isKnown) throw error;
    const problem = error instanceof EncodingError ? 'neither JSON nor CSV' : (error as Error).message;
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}

/** Reports whether a file is a profile export, based on the fields at its start. */
function isProfile(head: string): boolean {
  if (/^\uFEFF?Metric,/.test(head)) return true;
  if (isRequest(head) || !/^\uFEFF?\s*\{/.test(head)) return false;
  if (/"(?:endpoints_configured|endpoint_info|series)"\s*:/.test(head)) return false;
  return /"(?:unit|run_info|error_summary|was_cancelled)"\s*:/.test(head);
}

async function openFileSource(file: string): Promise<Source> {
  return await withReadErrors(file, () => openInput(file));
}

function decodeHead({ head }: Source): string {
  return Buffer.from(head).toString('utf8');
}
