import { hasTimeZone } from '@org/record';
import type { Run } from '../run/run.ts';

/** The start of a run. */
export interface RunStart {
  /** In nanoseconds since 1970. */
  readonly ns: bigint;
  /** True if the file contains a local time of an unknown time zone, which is read as UTC. */
  readonly isLocal: boolean;
  /** True if the run ends before it starts: the clock was set back. */
  readonly isReversed: boolean;
}

/**
 * Reads the start of a run: of the whole run, or of its first request. AIPerf writes local times without a time zone, but
 * the time of the first request and of scrapes in nanoseconds.
 */
export function readStart({ times, profile }: Run): RunStart | undefined {
  const first = profile?.min_request_timestamp as { readonly avg?: unknown } | undefined;
  const requestNs = toNs(first?.avg);
  const local = parseLocalTime(profile?.start_time);
  const ns = times.startNs ?? times.profilingStartNs ?? requestNs ?? local;
  if (ns === undefined) return undefined;
  return {
    ns,
    isLocal: ns === local && times.startNs === undefined,
    isReversed:
      isBefore(times.endNs, times.startNs) || isBefore(times.profilingEndNs, times.profilingStartNs),
  };
}

function isBefore(end: bigint | undefined, start: bigint | undefined): boolean {
  return end !== undefined && start !== undefined && end < start;
}

function toNs(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.round(value)) : undefined;
}

function parseLocalTime(time: unknown): bigint | undefined {
  if (typeof time !== 'string') return undefined;
  const ms = Date.parse(hasTimeZone(time) ? time : `${time}Z`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n;
}
