import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame } from '@org/core';
import type { SettlingRecord } from '@org/record';
import { type Clock, type Endpoint, QuiescenceDetector } from '@org/scrape';

/** Counters stand still when they have done so for this long, in ms, and in so many comparisons of neighbouring scrapes. */
const STILL_MS = 1000;
const STILL_COMPARISONS = 2;
const LOOK_MS = 25;
/** Metrics that are named. */
const MOST_NAMES = 5;

/** Is told of a frame when it comes. */
export type FrameListener = (endpoint: Endpoint, frame: Frame) => void;

export interface SettleOptions {
  readonly edge: 'start' | 'end';
  /** Those that are waited for. They are being scraped. */
  readonly endpoints: readonly Endpoint[];
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
  /** Has a listener told of each frame; of none any more without one. */
  readonly watch: (listener: FrameListener | undefined) => void;
  readonly clock: Clock;
}

/** Waits until the counters of all endpoints stand still, or the limit is over, or `signal` is aborted. */
export async function settle(options: SettleOptions): Promise<SettlingRecord> {
  const { edge, endpoints, limitSeconds, signal, watch, clock } = options;
  const startNs = clock.nowNs();
  const startMs = clock.monotonicMs();
  const watched = new Map(endpoints.map(endpoint => [endpoint, new QuiescenceDetector(endpoint.layout)]));
  watch((endpoint, { timestampNs, values }) => watched.get(endpoint)?.observe(timestampNs, values));
  const passed = (): number => (clock.monotonicMs() - startMs) / 1000;
  const isStill = (): boolean => [...watched].every(one => isSettled(one, clock.nowNs()));
  while (!isStill() && !signal.aborted && passed() < limitSeconds) await sleep(LOOK_MS);
  watch(undefined);
  const outcome =
    watched.size === 0 ? 'no_data' : isStill() ? 'settled' : signal.aborted ? 'interrupted' : 'gave_up';
  const moving = outcome === 'gave_up' ? movingOf(watched.values()) : [];
  return {
    edge,
    outcome,
    start_ns: startNs,
    seconds: Number(passed().toFixed(6)),
    limit_seconds: limitSeconds,
    ...(moving.length > 0 ? { moving } : {}),
  };
}

/** One that gives no data any more is not waited for. */
function isSettled([endpoint, detector]: readonly [Endpoint, QuiescenceDetector], nowNs: bigint): boolean {
  if (endpoint.health.status !== 'active') return true;
  const sinceNs = detector.unchangedSinceNs;
  if (sinceNs === undefined || detector.unchangedFrames < STILL_COMPARISONS) return false;
  return Number(nowNs - sinceNs) / 1e6 >= STILL_MS;
}

function movingOf(all: Iterable<QuiescenceDetector>): string[] {
  const names = new Set([...all].flatMap(({ changing }) => changing));
  return [...names].sort().slice(0, MOST_NAMES);
}

/** How a wait ended, for people. */
export function settlingMessage({ edge, outcome, seconds, limit_seconds, moving }: SettlingRecord): string {
  const where = edge === 'start' ? 'before profiling' : 'after profiling';
  if (outcome === 'settled') return `${where}: the servers stand still after ${seconds.toFixed(1)} s`;
  if (outcome === 'no_data') return `${where}: no server to wait for`;
  if (outcome === 'interrupted')
    return `${where}: not waited for the servers to stand still, interrupted after ${seconds.toFixed(1)} s`;
  const names = moving ? `; still moving: ${moving.join(', ')}` : '';
  return `${where}: the servers did not stand still within ${limit_seconds} s${names}`;
}
