import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createRun, openRun, type Run, type RunParts } from '@org/analysis';
import type { ProfileRecord, ServerMetricsRecord } from '@org/formats';
import { RunInputError, type RunRecord } from '@org/record';
import { FollowedJournal, findNewestJournal } from '@org/record/follow';
import { MARK, type RecoveredRun } from '@org/record/journal';
import { addRunServers, getServers } from '@org/record/servers';
import { createExportView, generateServerMetricsRecords } from '@org/record/view';
import { isRegularFile } from '../export/regularFile.ts';
import { readRecordedMap } from '../gpu/readGpuTelemetry.ts';
import { listJournaledRuns } from '../lifecycle/folderUse.ts';
import { isAlive } from '../lifecycle/runOwner.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import { FollowedGpus } from './followedGpus.ts';
import { FollowedRequests } from './followedRequests.ts';
import { FollowedStatistics } from './followedStatistics.ts';

/** A run is `silent` if its process is gone and nothing was written for this time, in milliseconds. */
const SILENT_MS = 5000;

/**
 * The state of an active run. `starting`: no scrape or request yet. `exporting`: the load has ended.
 * `silent`: its process no longer exists, and it has not written its exports. `ended`: the exports are written.
 */
export type SnapshotState = 'starting' | 'warmup' | 'profiling' | 'exporting' | 'silent' | 'ended';

/** An active run at one moment. */
export interface RunSnapshot {
  readonly run: Run;
  readonly state: SnapshotState;
  /** The time of the last write of the run, in milliseconds since 1970. */
  readonly writtenMs: number;
  /** The time when the statistics of servers were computed, in milliseconds since 1970. Absent if the run has ended. */
  readonly statisticsMs?: number;
  /**
   * Returns the samples of the named metrics so far, or after a time of each endpoint in nanoseconds since 1970. Absent if the
   * run has ended: they are in its exports.
   */
  readonly listSamples?: (
    names: ReadonlySet<string>,
    after?: (endpointUrl: string) => bigint | undefined,
  ) => Iterable<ServerMetricsRecord>;
  /** The requests of the profiling phase so far. Absent without requests, or if the run has ended. */
  readonly requests?: readonly ProfileRecord[];
}

/** The journal that is followed, and the requests that belong to it. */
interface Followed {
  readonly journal: FollowedJournal;
  readonly statistics: FollowedStatistics;
  requests: FollowedRequests | undefined;
  gpus: FollowedGpus | undefined;
}

/**
 * Follows the run in a folder, or the newest run in the folder of repeated runs or a sweep. Reads only what the run
 * appends to its files, and writes nothing.
 */
export class FollowedRun {
  readonly #folder: string;
  readonly #sinceMs: number;
  #followed: Followed | undefined;
  /** The run that has ended, so that its exports are read once. */
  #ended: RunSnapshot | undefined;

  /** @param sinceMs time in milliseconds since 1970 before which the files of the folder belong to earlier runs */
  constructor(folder: string, sinceMs = 0) {
    this.#folder = folder;
    this.#sinceMs = sinceMs;
  }

  /**
   * Reads what the run has written. Returns undefined if the folder contains no run yet.
   *
   * @throws RunInputError or RunError if the files of the run cannot be read
   */
  async read(): Promise<RunSnapshot | undefined> {
    const path = await findNewestJournal(this.#folder, this.#sinceMs);
    if (path !== undefined && path !== this.#followed?.journal.path) this.#follow(path);
    if (!this.#followed) return await this.#readExports();
    const recovered = this.#followed.journal.read();
    if (recovered && !isExported(this.#followed.journal.path, recovered))
      return await this.#readRunning(this.#followed, recovered);
    return path !== undefined && !recovered ? undefined : await this.#readEnded();
  }

  /** Reads the exports in a folder without a journal. Returns undefined if they belong to an earlier run. */
  async #readExports(): Promise<RunSnapshot | undefined> {
    if (this.#sinceMs === 0) return await this.#readEnded();
    const ended = await this.#readEnded().catch(() => undefined);
    if (ended && ended.writtenMs >= this.#sinceMs) return ended;
    this.#ended = undefined;
    return undefined;
  }

  #follow(path: string): void {
    this.#followed?.journal.close();
    this.#followed = {
      journal: new FollowedJournal(path),
      statistics: new FollowedStatistics(),
      requests: undefined,
      gpus: undefined,
    };
    this.#ended = undefined;
  }

  async #readRunning(followed: Followed, recovered: RecoveredRun): Promise<RunSnapshot> {
    const { header } = recovered;
    const folder = dirname(followed.journal.path);
    const { jsonl: requestsPath, gpuTelemetry } = getProfilePaths(folder, header.exports.prefix);
    const { sliceSeconds } = header.exports;
    if (header.profile)
      followed.requests ??= new FollowedRequests(header.profile, requestsPath, sliceSeconds);
    followed.gpus ??= new FollowedGpus(gpuTelemetry, header.startNs, readRecordedMap(header.servelensConfig));
    await followed.requests?.read(isProfiling(recovered) ? recovered.record.period.startNs : undefined);
    await followed.gpus.read();
    const writtenMs = Math.max(followed.journal.writtenMs ?? 0, await getWriteTime(requestsPath));
    const state =
      !hasProcess(recovered) && Date.now() - writtenMs > SILENT_MS
        ? 'silent'
        : findState(recovered, followed.requests);
    const record = selectPeriod((await addRunServers(recovered.record)).record, recovered);
    const isComplete = state === 'exporting' || state === 'silent';
    const { window } = header.exports;
    const view = createExportView(record, window === undefined ? {} : { window });
    const document = await followed.statistics.compute(view, header.exports, isComplete);
    const { computedMs } = followed.statistics;
    const client = isProfiling(recovered)
      ? followed.requests?.createDocuments(recovered, { document, gpus: followed.gpus.recording, isComplete })
      : undefined;
    return {
      state,
      writtenMs,
      ...(computedMs !== undefined && { statisticsMs: computedMs }),
      run: createRunningRun(folder, recovered, record, {
        view: document,
        gpus: followed.gpus.gpus,
        ...(client && { profile: client.profile }),
        ...(client?.timeslices && { clientTimeslices: client.timeslices }),
      }),
      listSamples: (names, after) =>
        generateServerMetricsRecords(
          { ...view, metrics: view.metrics.filter(({ name }) => names.has(name)) },
          after && { after },
        ),
      ...(client && followed.requests ? { requests: followed.requests.charted } : {}),
    };
  }

  async #readEnded(): Promise<RunSnapshot> {
    if (this.#ended) return this.#ended;
    const folder = this.#followed ? dirname(this.#followed.journal.path) : this.#folder;
    const run = await openRun(folder);
    const { aggregated, profile, parquet } = run.files;
    const writtenMs = await getWriteTime(aggregated ?? profile ?? parquet ?? folder);
    this.#ended = { run, state: 'ended', writtenMs };
    return this.#ended;
  }
}

/** Reports whether the process of a run exists. */
function hasProcess({ header: { owner } }: RecoveredRun): boolean {
  return owner !== undefined && isAlive(owner);
}

/**
 * Reports whether all exports of a run are written. As long as its process exists, it may still write some of them; after
 * the last one, it deletes the journal.
 */
function isExported(journal: string, recovered: RecoveredRun): boolean {
  if (hasProcess(recovered)) return false;
  return listJournaledRuns(dirname(journal)).some(run => run.journal === journal && run.state === 'exported');
}

function isProfiling({ replay }: RecoveredRun): boolean {
  return replay.marks.some(({ kind }) => kind === MARK.profilingStart);
}

function findState(recovered: RecoveredRun, requests: FollowedRequests | undefined): SnapshotState {
  const { replay, record } = recovered;
  if (replay.marks.some(({ kind }) => kind === MARK.runEnd || kind === MARK.profilingEnd)) return 'exporting';
  const hasData = record.endpoints.some(({ store }) => store.frameCount > 0);
  if (!hasData && !requests?.charted.length) return 'starting';
  return isProfiling(recovered) ? 'profiling' : 'warmup';
}

/** Returns a record whose statistics cover the warm-up until profiling starts. */
function selectPeriod(record: RunRecord, recovered: RecoveredRun): RunRecord {
  if (isProfiling(recovered)) return record;
  const { startNs, endNs } = record;
  return { ...record, period: { startNs, endNs }, runPeriod: { startNs, endNs } };
}

/** Creates the run that a page shows. It has no status, because it has not ended. */
function createRunningRun(
  folder: string,
  recovered: RecoveredRun,
  record: RunRecord,
  measured: Pick<RunParts, 'view' | 'profile' | 'clientTimeslices' | 'gpus'>,
): Run {
  const run = createRun({
    name: folder,
    layout: 'json',
    files: {},
    ...measured,
    servers: getServers(record),
    notes: describeLimits(folder, recovered),
  });
  const { profilingStartNs: _, profilingEndNs: __, profilingSeconds: ___, ...times } = run.times;
  return { ...run, wasCancelled: undefined, times: isProfiling(recovered) ? run.times : times };
}

/** Describes what is known only when the run has ended. */
function describeLimits(folder: string, { header }: RecoveredRun): string[] {
  const { gpuTelemetry } = getProfilePaths(folder, header.exports.prefix);
  return [
    ...(header.profile?.hasServers
      ? ['The counts of the client and the servers are compared when the run has ended.']
      : []),
    ...(!header.profile && isRegularFile(gpuTelemetry)
      ? ['The energy per token and per request is computed when the run has ended.']
      : []),
  ];
}

async function getWriteTime(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/** Throws `RunInputError` if a folder does not exist or is a file. */
export async function checkWatchedFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory()) return;
  throw new RunInputError(
    `cannot watch ${JSON.stringify(folder)}: ${stats ? `not a folder; expected the folder of a run, such as ${dirname(folder)}` : 'no such folder'}`,
  );
}
