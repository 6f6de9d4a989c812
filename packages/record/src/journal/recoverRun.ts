import type { StoreMemory } from '@org/core';
import { describeSystemError } from '@org/core';
import { JournalError, type Replay, replayJournal } from '@org/scrape';
import { upgradeHealth } from '../oldFields.ts';
import { RunInputError } from '../runInputError.ts';
import {
  type DataLossRecord,
  type HealthRecord,
  type RunRecord,
  type TimeRange,
  UNKNOWN_HEALTH,
} from '../runRecord.ts';
import { type RecoveredPhases, readPhases } from './phaseMarks.ts';
import type { RunHeader } from './runHeader.ts';

/** A run read back from its journal. */
export interface RecoveredRun {
  readonly header: RunHeader;
  readonly record: RunRecord;
  readonly replay: Replay;
}

/**
 * Reads a run back from its journal.
 *
 * @throws RunInputError if the file cannot be read, is not a journal, or lacks its first record
 */
export function recoverRun(path: string, memory?: StoreMemory): RecoveredRun {
  return toRecoveredRun(path, readReplay(path, memory));
}

/**
 * Converts what was read from a journal to a run, which may still be running.
 *
 * @throws RunInputError if the record that describes the run is missing
 */
export function toRecoveredRun(path: string, replay: Replay): RecoveredRun {
  const header = replay.run as RunHeader | undefined;
  if (!header?.benchmarkId) {
    throw new RunInputError(
      `cannot recover ${path}: the record that describes the run is missing: ${replay.message || 'the file is empty'}`,
    );
  }
  return { header, record: toRunRecord(header, replay), replay };
}

function readReplay(path: string, memory: StoreMemory | undefined): Replay {
  return withJournalErrors(path, () => replayJournal(path, memory));
}

/** Runs `read`, and converts errors about a journal to `RunInputError`. */
export function withJournalErrors<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof JournalError) throw new RunInputError(error.message);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new RunInputError(`cannot read journal ${path}: ${describeSystemError(error)}`);
  }
}

function toRunRecord(header: RunHeader, replay: Replay): RunRecord {
  const phases = readPhases(replay.marks);
  const endNs = findEndNs(header, replay, phases);
  const dataLoss = findDataLoss(replay);
  return {
    benchmarkId: header.benchmarkId,
    version: header.version,
    startNs: header.startNs,
    endNs,
    period: toPeriod(phases, endNs),
    cancelled: phases.cancelled,
    ...phases.recordFields,
    ...(dataLoss ? { dataLoss } : {}),
    inputConfig: header.inputConfig,
    ...(header.servelensConfig ? { servelensConfig: header.servelensConfig } : {}),
    endpoints: replay.endpoints.map(({ index, url, configuredUrl, identity, labels, store, health }) => ({
      url,
      configuredUrl,
      ...(identity === undefined ? {} : { identity }),
      ...(labels ? { labels } : {}),
      store,
      health: upgradeHealth((health as HealthRecord | undefined) ?? UNKNOWN_HEALTH),
      boundaries: phases.boundaries(index),
    })),
  };
}

/** Returns what is missing from a journal; undefined if nothing is known to be missing. */
function findDataLoss({ damage, missedFrames }: Replay): DataLossRecord | undefined {
  const { lostFrames = 0, unreadablePlaces = 0, unreadableBytes = 0 } = damage ?? {};
  if (lostFrames === 0 && unreadablePlaces === 0 && missedFrames === 0) return undefined;
  return {
    scrapes_lost: lostFrames,
    scrapes_unwritten: missedFrames,
    unreadable_places: unreadablePlaces,
    unreadable_bytes: unreadableBytes,
  };
}

/**
 * Returns the end of a run. A killed run ends with its last frame, its last recorded failure or its last phase mark,
 * whichever is latest. Without failures, a server that died before the run was killed would look alive until the end.
 */
function findEndNs(header: RunHeader, replay: Replay, phases: RecoveredPhases): bigint {
  const { runEndNs, profilingStartNs, profilingEndNs } = phases;
  return (
    runEndNs ??
    findLatest(
      header.startNs,
      findLastFrameNs(replay),
      findLastFailureNs(replay),
      profilingStartNs,
      profilingEndNs,
    )
  );
}

/**
 * Returns the profiling period. For a run that was killed during its warm-up, it is after the end of the run
 * and covers no samples.
 */
function toPeriod({ profilingStartNs: startNs, profilingEndNs }: RecoveredPhases, endNs: bigint): TimeRange {
  if (startNs === undefined) return { startNs: endNs + 1n, endNs: endNs + 1n };
  return { startNs, endNs: profilingEndNs ?? endNs };
}

function findLatest(first: bigint, ...others: (bigint | undefined)[]): bigint {
  let latest = first;
  for (const ns of others) if (ns !== undefined && ns > latest) latest = ns;
  return latest;
}

function findLastFrameNs(replay: Replay): bigint | undefined {
  let last: bigint | undefined;
  for (const { store } of replay.endpoints) {
    const { originNs, offsetsNs } = store.timeline();
    const offset = offsetsNs.at(-1);
    if (offset === undefined) continue;
    const ns = originNs + BigInt(offset);
    if (last === undefined || ns > last) last = ns;
  }
  return last;
}

function findLastFailureNs({ endpoints }: Replay): bigint | undefined {
  let last: bigint | undefined;
  for (const { health } of endpoints) {
    const { last_failure_ns: ns } = (health as Partial<HealthRecord> | undefined) ?? {};
    if (ns !== undefined && (last === undefined || ns > last)) last = ns;
  }
  return last;
}
