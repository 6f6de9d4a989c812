import type { ProfileExport } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import { hasTimeZone } from '@org/record';

/** The times and durations that the files of a run contain. Times are in nanoseconds since 1970. */
export interface RunTimes {
  readonly startNs?: bigint;
  readonly endNs?: bigint;
  /** Start of the period that statistics cover: the run without warm-up. */
  readonly profilingStartNs?: bigint;
  readonly profilingEndNs?: bigint;
  /** The duration of the whole run, in seconds. */
  readonly seconds?: number;
  /** The duration of the profiling period, in seconds. */
  readonly profilingSeconds?: number;
}

/** The start and the end of a run as ISO 8601 times. AIPerf writes those of the profiling phase, in local time. */
interface TextTimes {
  readonly start_time?: string;
  readonly end_time?: string;
}

/**
 * Reads the times of a run. Times without a zone are the local time of an unknown machine: only the duration between them
 * is used. The times of scrapes and of AIPerf's phases are in nanoseconds.
 */
export function readTimes({ summary }: ServerMetricsView, profile: ProfileExport | undefined): RunTimes {
  const texts: TextTimes = summary ?? profile ?? {};
  const isZoned = texts.start_time !== undefined && hasTimeZone(texts.start_time);
  const from = summary?.profiling_start_ns ?? summary?.phase_time_ranges?.profiling?.start_ns ?? undefined;
  const to = summary?.profiling_end_ns ?? summary?.phase_time_ranges?.profiling?.end_ns ?? undefined;
  const textStart = parseTime(texts.start_time);
  const textEnd = parseTime(texts.end_time);
  const startNs = isZoned ? textStart : findScrapeTime(summary, 'first_fetch_ns');
  const endNs = isZoned ? textEnd : findScrapeTime(summary, 'last_fetch_ns');
  const textSeconds = computeSeconds(textStart, textEnd);
  const seconds = computeSeconds(startNs, endNs) ?? textSeconds;
  const profilingSeconds = computeSeconds(from, to) ?? (isZoned ? undefined : textSeconds);
  return {
    ...(startNs !== undefined && { startNs }),
    ...(endNs !== undefined && { endNs }),
    ...(from !== undefined && { profilingStartNs: from }),
    ...(to !== undefined && { profilingEndNs: to }),
    ...(seconds !== undefined && { seconds }),
    ...(profilingSeconds !== undefined && { profilingSeconds }),
  };
}

/** Returns the time of the first or the last scrape, of all endpoints. */
function findScrapeTime(
  summary: ServerMetricsView['summary'],
  field: 'first_fetch_ns' | 'last_fetch_ns',
): bigint | undefined {
  const times = Object.values(summary?.endpoint_info ?? {}).flatMap(({ [field]: ns }) => (ns ? [ns] : []));
  const isBefore = (a: bigint, b: bigint): boolean => (field === 'first_fetch_ns' ? a < b : a > b);
  return times.reduce<bigint | undefined>(
    (found, ns) => (found === undefined || isBefore(ns, found) ? ns : found),
    undefined,
  );
}

/** Parses an ISO 8601 time with up to nine decimals to nanoseconds since 1970, as UTC if it has no zone. */
function parseTime(time: string | undefined): bigint | undefined {
  if (time === undefined) return undefined;
  const ms = Date.parse(hasTimeZone(time) ? time : `${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  const afterMs = /\.\d{3}(\d{1,6})/.exec(time)?.[1] ?? '';
  return BigInt(ms) * 1_000_000n + BigInt(afterMs.padEnd(6, '0'));
}

/** Returns the seconds between two times in ns; 0 if the clock was set back between them. */
function computeSeconds(from: bigint | undefined, to: bigint | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, Number(to - from) / 1e9);
}
