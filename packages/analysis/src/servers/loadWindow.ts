import type { Run } from '../run/run.ts';
import type { RunSlice } from '../run/series.ts';

/** The part of the profiling period between the first and the last activity of the servers. Times are in nanoseconds. */
export interface LoadWindow {
  /** Seconds without activity at the start of the period. */
  readonly idleStartSeconds: number;
  /** Seconds without activity at the end of the period. */
  readonly idleEndSeconds: number;
  /** Share of the period between the first and the last activity, from just above 0 to 1; 1 if unknown. */
  readonly loadedShare: number;
  /** Reports whether a slice is at least partly within the window. */
  readonly contains: (slice: RunSlice) => boolean;
}

/** The maximum distance between the start of the period and the first sample, in nanoseconds. */
const EDGE_NS = 1_000_000_000n;

/**
 * Reads the time without activity at the start and the end of a run. Averages over the whole period underestimate the
 * load, for example if a load generator spends 10 s on its start. If no server was ever active, there is no window to
 * correct for.
 */
export function readLoadWindow({ view }: Pick<Run, 'view'>): LoadWindow {
  const { profiling_start_ns: startNs, profiling_end_ns: endNs, idle_periods = [] } = view.summary ?? {};
  if (startNs === undefined || endNs === undefined) return createWindow(0n, 0n, 0n, 0n);
  const first = idle_periods.find(({ start_ns }) => start_ns - startNs < EDGE_NS);
  const last = idle_periods.findLast(({ end_ns }) => endNs - end_ns < EDGE_NS);
  if (first && first === last) return createWindow(startNs, startNs, endNs, endNs);
  return createWindow(startNs, first?.end_ns ?? startNs, last?.start_ns ?? endNs, endNs);
}

function createWindow(startNs: bigint, fromNs: bigint, toNs: bigint, endNs: bigint): LoadWindow {
  const seconds = toSeconds(endNs - startNs);
  return {
    idleStartSeconds: toSeconds(fromNs - startNs),
    idleEndSeconds: toSeconds(endNs - toNs),
    loadedShare: seconds > 0 ? toSeconds(toNs - fromNs) / seconds : 1,
    contains: slice => seconds === 0 || (slice.end_ns > fromNs && slice.start_ns < toNs),
  };
}

function toSeconds(ns: bigint): number {
  return Number(ns) / 1e9;
}
