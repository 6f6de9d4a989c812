import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Frame } from '@org/core';
import type { SettlingRecord } from '@org/record';
import { type Endpoint, QuiescenceDetector } from '@org/scrape';

/** Minimum time without changes after which counters count as quiet, in milliseconds. */
const MIN_QUIET_MS = 1000;
/** Minimum number of consecutive scrapes without changes after which counters count as quiet. */
const MIN_UNCHANGED_FRAMES = 2;
const POLL_INTERVAL_MS = 25;
/** Maximum number of changing metrics listed in a record. */
const MAX_LISTED_METRICS = 5;

export type FrameListener = (endpoint: Endpoint, frame: Frame) => void;

export interface QuiescenceOptions {
  readonly boundary: 'start' | 'end';
  /** Endpoints to wait for. They must be scraped periodically during the wait. */
  readonly endpoints: readonly Endpoint[];
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
  /** Sets the listener that receives every frame; undefined removes it. */
  readonly listen: (listener: FrameListener | undefined) => void;
  readonly clock: Clock;
}

/** Waits until the counters of all endpoints stop changing, the limit has passed or `signal` is aborted. */
export async function waitForQuiescence(options: QuiescenceOptions): Promise<SettlingRecord> {
  const { boundary, endpoints, limitSeconds, signal, listen, clock } = options;
  const startNs = clock.nowNs();
  const startMs = clock.monotonicMs();
  const detectors = new Map(endpoints.map(endpoint => [endpoint, new QuiescenceDetector(endpoint.layout)]));
  listen((endpoint, { timestampNs, values }) => detectors.get(endpoint)?.observe(timestampNs, values));
  const getElapsedSeconds = (): number => (clock.monotonicMs() - startMs) / 1000;
  const areQuiet = (): boolean =>
    [...detectors].every(([endpoint, detector]) => isQuiet(endpoint, detector, clock.nowNs()));
  while (!areQuiet() && !signal.aborted && getElapsedSeconds() < limitSeconds) await sleep(POLL_INTERVAL_MS);
  listen(undefined);
  const outcome =
    detectors.size === 0
      ? 'no_endpoints'
      : areQuiet()
        ? 'settled'
        : signal.aborted
          ? 'interrupted'
          : 'timed_out';
  const changing = outcome === 'timed_out' ? listChangingMetrics(detectors.values()) : [];
  return {
    boundary,
    outcome,
    start_ns: startNs,
    seconds: Number(getElapsedSeconds().toFixed(6)),
    limit_seconds: limitSeconds,
    ...(changing.length > 0 ? { changing_metrics: changing } : {}),
  };
}

/**
 * Reports whether the counters of an endpoint have stopped changing. An endpoint that is not active counts as
 * quiet.
 */
function isQuiet(endpoint: Endpoint, detector: QuiescenceDetector, nowNs: bigint): boolean {
  if (endpoint.health.status !== 'active') return true;
  const sinceNs = detector.unchangedSinceNs;
  if (sinceNs === undefined || detector.unchangedFrames < MIN_UNCHANGED_FRAMES) return false;
  return Number(nowNs - sinceNs) / 1e6 >= MIN_QUIET_MS;
}

function listChangingMetrics(detectors: Iterable<QuiescenceDetector>): string[] {
  const names = new Set([...detectors].flatMap(({ changing }) => changing));
  return [...names].sort().slice(0, MAX_LISTED_METRICS);
}
