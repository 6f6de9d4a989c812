import { compensatedSum } from '../statistics/descriptive.ts';
import type { EndpointStore } from './endpointStore.ts';

/**
 * How an endpoint was collected, over the whole run: seed 001, "Endpoint Info", under its key names. A fetch whose
 * body was the previous one, byte for byte, is no update.
 */
export interface EndpointInfo {
  readonly total_fetches: number;
  readonly first_fetch_ns: bigint;
  readonly last_fetch_ns: bigint;
  readonly avg_fetch_latency_ms: number;
  readonly unique_updates: number;
  readonly first_update_ns: bigint;
  readonly last_update_ns: bigint;
  /** From the first update to the last. */
  readonly duration_seconds: number;
  /** 0 with one update. */
  readonly avg_update_interval_ms: number;
  /** Absent with fewer than two intervals. */
  readonly median_update_interval_ms?: number;
}

/** The endpoint's info; null when it has no frame. */
export function endpointInfo(store: EndpointStore): EndpointInfo | null {
  const { originNs, offsetsNs } = store.timeline();
  if (offsetsNs.length === 0) return null;
  const wallTime = (offsetNs: number): bigint => originNs + BigInt(offsetNs);
  const updates = updateTimes(store);
  const first = updates[0]!;
  const last = updates.at(-1)!;
  const median = updates.length > 2 ? medianInterval(updates) : null;
  return {
    total_fetches: offsetsNs.length,
    first_fetch_ns: wallTime(offsetsNs[0]!),
    last_fetch_ns: wallTime(offsetsNs.at(-1)!),
    avg_fetch_latency_ms: compensatedSum(store.latenciesNs()) / offsetsNs.length / 1e6,
    unique_updates: updates.length,
    first_update_ns: wallTime(first),
    last_update_ns: wallTime(last),
    duration_seconds: (last - first) / 1e9,
    avg_update_interval_ms: updates.length > 1 ? (last - first) / (updates.length - 1) / 1e6 : 0,
    ...(median === null ? {} : { median_update_interval_ms: median / 1e6 }),
  };
}

/** By store: for how many frames it was computed, so that it is computed once and not for every series. */
const intervals = new WeakMap<EndpointStore, { frames: number; interval: number | null }>();

/**
 * The median ns between updates; for an endpoint with fewer than three, between fetches; null when there are
 * fewer than three of those, too.
 */
export function updateIntervalNs(store: EndpointStore): number | null {
  const frames = store.frameCount;
  const known = intervals.get(store);
  if (known?.frames === frames) return known.interval;
  const updates = updateTimes(store);
  const times = updates.length > 2 ? updates : store.timeline().offsetsNs;
  const interval = times.length > 2 ? medianInterval(times) : null;
  intervals.set(store, { frames, interval });
  return interval;
}

/** The first frame is an update whatever it says: there was nothing before it. */
function updateTimes(store: EndpointStore): Float64Array {
  const changed = store.changed();
  return store.timeline().offsetsNs.filter((_, frame) => frame === 0 || changed[frame] === 1);
}

function medianInterval(times: Float64Array): number {
  const lengths = times.subarray(1).map((time, at) => time - times[at]!);
  lengths.sort();
  const middle = lengths.length >> 1;
  return lengths.length % 2 === 1 ? lengths[middle]! : (lengths[middle - 1]! + lengths[middle]!) / 2;
}
