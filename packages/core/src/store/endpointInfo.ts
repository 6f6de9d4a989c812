import { computeCompensatedSum } from '../statistics/descriptive.ts';
import type { EndpointStore } from './endpointStore.ts';
import { lowerBound, upperBound } from './timeline.ts';

/**
 * Fetch statistics of an endpoint, with the keys of the JSON export. A fetch counts as an
 * update if its body differs from the previous body.
 */
export interface EndpointInfo {
  readonly total_fetches: number;
  readonly first_fetch_ns: bigint;
  readonly last_fetch_ns: bigint;
  readonly avg_fetch_latency_ms: number;
  readonly unique_updates: number;
  readonly first_update_ns: bigint;
  readonly last_update_ns: bigint;
  /** Time from the first update to the last. */
  readonly duration_seconds: number;
  /** 0 if there is only one update. */
  readonly avg_update_interval_ms: number;
  /** Absent with fewer than two intervals. */
  readonly median_update_interval_ms?: number;
}

/** A range of times, in ns since the timeline's origin; both ends are inclusive. */
interface OffsetRange {
  readonly startNs: number;
  readonly endNs: number;
}

const WHOLE_RUN: OffsetRange = { startNs: Number.NEGATIVE_INFINITY, endNs: Number.POSITIVE_INFINITY };

/** Computes the fetch statistics of an endpoint in a range; returns null if the range contains no frames. */
export function computeEndpointInfo(
  store: EndpointStore,
  range: OffsetRange = WHOLE_RUN,
): EndpointInfo | null {
  const { originNs, offsetsNs: allOffsetsNs } = store.timeline();
  const start = lowerBound(allOffsetsNs, range.startNs);
  const end = upperBound(allOffsetsNs, range.endNs);
  const offsetsNs = allOffsetsNs.subarray(start, end);
  if (offsetsNs.length === 0) return null;
  const toWallNs = (offsetNs: number): bigint => originNs + BigInt(offsetNs);
  const updates = listUpdateTimes(store, start, end);
  const first = updates[0]!;
  const last = updates.at(-1)!;
  const median = updates.length > 2 ? computeMedianInterval(updates) : null;
  return {
    total_fetches: offsetsNs.length,
    first_fetch_ns: toWallNs(offsetsNs[0]!),
    last_fetch_ns: toWallNs(offsetsNs.at(-1)!),
    avg_fetch_latency_ms:
      computeCompensatedSum(store.latenciesNs().subarray(start, end)) / offsetsNs.length / 1e6,
    unique_updates: updates.length,
    first_update_ns: toWallNs(first),
    last_update_ns: toWallNs(last),
    duration_seconds: (last - first) / 1e9,
    avg_update_interval_ms: updates.length > 1 ? (last - first) / (updates.length - 1) / 1e6 : 0,
    ...(median === null ? {} : { median_update_interval_ms: median / 1e6 }),
  };
}

/** Cached update intervals with the frame count that they were computed for, because every series needs them. */
const cachedIntervals = new WeakMap<EndpointStore, { frames: number; interval: number | null }>();

/**
 * Computes the median interval between updates, in ns. With fewer than three updates, uses the times of all
 * fetches; with fewer than three fetches, returns null.
 */
export function computeUpdateIntervalNs(store: EndpointStore): number | null {
  const frames = store.frameCount;
  const cached = cachedIntervals.get(store);
  if (cached?.frames === frames) return cached.interval;
  const updates = listUpdateTimes(store);
  const times = updates.length > 2 ? updates : store.timeline().offsetsNs;
  const interval = times.length > 2 ? computeMedianInterval(times) : null;
  cachedIntervals.set(store, { frames, interval });
  return interval;
}

/** Returns the times of updates in a range of frames. Its first frame always counts as an update. */
function listUpdateTimes(store: EndpointStore, start = 0, end: number = store.frameCount): Float64Array {
  const changed = store.changed().subarray(start, end);
  const { offsetsNs } = store.timeline();
  return offsetsNs.subarray(start, end).filter((_, frame) => frame === 0 || changed[frame] === 1);
}

/** Returns the median distance between neighbouring times. Requires at least two times. */
export function computeMedianInterval(times: Float64Array): number {
  const lengths = times.subarray(1).map((time, at) => time - times[at]!);
  lengths.sort();
  const middle = lengths.length >> 1;
  return lengths.length % 2 === 1 ? lengths[middle]! : (lengths[middle - 1]! + lengths[middle]!) / 2;
}
