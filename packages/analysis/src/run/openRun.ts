import { quoteShellPath } from '@org/core';
import type { ServerMetricsView } from '@org/formats/read';
import { readRunServers } from '@org/record/servers';
import type { DefinitionFile, ServerCatalog } from '@org/servers';
import { readFolderClient, readProfile } from './clientExports.ts';
import { decodeHead, isProfile, isRunSet } from './contentKind.ts';
import { NO_METRICS, readFolderMetrics } from './folderMetrics.ts';
import { readServedEnergy } from './gpuEnergy.ts';
import { readRunGpus } from './gpuSamples.ts';
import { isFolder } from './input.ts';
import { openFileSource } from './readErrors.ts';
import { createRun, type Run, type RunParts } from './run.ts';
import { createRunSetError, findRunFiles, selectAggregates } from './runFiles.ts';
import { type Reading, readMetrics } from './serverMetricsFile.ts';

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

/** Finds the servers that are understood in a run, from the definitions in its files and `added`. */
async function findServers(
  view: ServerMetricsView,
  profile: RunParts['profile'],
  added: readonly DefinitionFile[],
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

async function openFile(file: string, reading: Reading): Promise<Run> {
  const { added } = reading;
  const source = await openFileSource(file);
  const head = decodeHead(source);
  if (isRunSet(head)) throw createRunSetError(file);
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
