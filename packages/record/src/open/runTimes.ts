import type { EndpointStore } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import { hasTimeZone, parseTimeNs } from '../isoTime.ts';
import type { TimeRange } from '../runRecord.ts';
import type { ExportedSamples } from './exportedSamples.ts';

type Summary = ServerMetricsDocument['summary'];

/** The start and the end of a run and its profiling phase, read from an export. */
export interface RunTimes extends TimeRange {
  readonly period: TimeRange;
  /** A sentence about the origin of the period if the export does not record the profiling phase; absent otherwise. */
  readonly warning?: string;
}

/**
 * Reads the times of a run. The profiling phase is recorded in `profiling_start_ns` or, by AIPerf, in
 * `phase_time_ranges`. Exports of older versions have only `start_time` and `end_time`. If these have no time zone, as in
 * AIPerf, they are used only if the times of the scrapes determine the zone. Otherwise, the tags of the scrapes or the
 * times of all scrapes determine the period.
 */
export function readRunTimes(summary: Summary, samples: ExportedSamples): RunTimes {
  const scrapes = findScrapeRange(summary, samples.stores.values());
  const recorded = readPeriod(summary) ?? readTextRange(summary, scrapes);
  const period = recorded ?? findTaggedRange(samples) ?? scrapes ?? { startNs: 0n, endNs: 0n };
  const run = hasTimeZone(summary.start_time) ? parseTextRange(summary) : undefined;
  return {
    startNs: run?.startNs ?? minNs(scrapes?.startNs ?? period.startNs, period.startNs),
    endNs: run?.endNs ?? maxNs(scrapes?.endNs ?? period.endNs, period.endNs),
    period,
    ...(recorded ? {} : { warning: samples.profilingScrapesNs ? UNKNOWN_END : UNKNOWN_PERIOD }),
  };
}

const UNKNOWN_END =
  'the export does not record the end of the profiling phase: the statistics also cover the scrapes after it';

const UNKNOWN_PERIOD =
  'the export does not record the profiling phase: the statistics cover all scrapes, including the warm-up';

function readPeriod(summary: Summary): TimeRange | undefined {
  const { exported_window: window, phase_time_ranges: phases } = summary;
  const startNs = window?.run_profiling_start_ns ?? summary.profiling_start_ns ?? phases?.profiling?.start_ns;
  const endNs = window?.run_profiling_end_ns ?? summary.profiling_end_ns ?? phases?.profiling?.end_ns;
  return typeof startNs === 'bigint' && typeof endNs === 'bigint' ? { startNs, endNs } : undefined;
}

/** Time zones differ from UTC by a multiple of 15 minutes, at most 14 hours. */
const ZONE_STEP_NS = 900_000_000_000n;
const MAX_ZONE_STEPS = 56n;

/** Reads `start_time` and `end_time`. Returns undefined if their time zone is missing and cannot be determined. */
function readTextRange(summary: Summary, scrapes: TimeRange | undefined): TimeRange | undefined {
  const range = parseTextRange(summary);
  if (!range || hasTimeZone(summary.start_time)) return range;
  if (!scrapes) return undefined;
  const candidates: TimeRange[] = [];
  for (let steps = -MAX_ZONE_STEPS; steps <= MAX_ZONE_STEPS; steps++) {
    const startNs = range.startNs + steps * ZONE_STEP_NS;
    const endNs = range.endNs + steps * ZONE_STEP_NS;
    if (startNs >= scrapes.startNs && endNs <= scrapes.endNs) candidates.push({ startNs, endNs });
  }
  return candidates.length === 1 ? candidates[0] : undefined;
}

function parseTextRange({ start_time, end_time }: Summary): TimeRange | undefined {
  const startNs = parseTimeNs(start_time);
  const endNs = parseTimeNs(end_time) ?? startNs;
  return startNs === undefined || endNs === undefined ? undefined : { startNs, endNs };
}

/** Returns the times of the first and the last scrape, of all endpoints; undefined without a scrape. */
function findScrapeRange(
  { endpoint_info: infos }: Summary,
  stores: Iterable<EndpointStore>,
): TimeRange | undefined {
  const times = [...stores].flatMap(store => {
    const { originNs, offsetsNs } = store.timeline();
    if (offsetsNs.length === 0) return [];
    return [originNs + BigInt(offsetsNs[0]!), originNs + BigInt(offsetsNs.at(-1)!)];
  });
  for (const { first_fetch_ns: first, last_fetch_ns: last } of Object.values(infos))
    if (first && last) times.push(first, last);
  return toRange(times);
}

function findTaggedRange({ profilingScrapesNs }: ExportedSamples): TimeRange | undefined {
  return toRange([...(profilingScrapesNs?.values() ?? [])].flatMap(times => [...times]));
}

function toRange(times: readonly bigint[]): TimeRange | undefined {
  if (times.length === 0) return undefined;
  return { startNs: times.reduce(minNs), endNs: times.reduce(maxNs) };
}

function minNs(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function maxNs(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
