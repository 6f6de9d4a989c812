import type { Period, Timeline } from '@org/core';
import type { EndpointRecord, TimeRange } from '../runRecord.ts';

/**
 * Returns AIPerf's window of an endpoint: its scrapes that are tagged as profiling. If scrapes have no tags, these are
 * the scrapes that were sent after the start of profiling. Without such a scrape, the window covers no samples.
 */
export function resolveAiperfPeriod(endpoint: EndpointRecord, profiling: TimeRange): Period {
  const timeline = endpoint.store.timeline();
  const { offsetsNs } = timeline;
  const isProfiling = markProfilingFrames(endpoint, timeline, profiling);
  const first = isProfiling.indexOf(true);
  const last = isProfiling.lastIndexOf(true);
  if (first < 0) {
    const afterNs = (offsetsNs.at(-1) ?? 0) + 1;
    return { startNs: afterNs, endNs: afterNs };
  }
  const excluded = offsetsNs.subarray(first, last).filter((_, at) => !isProfiling[first + at]);
  return {
    startNs: offsetsNs[first]!,
    endNs: offsetsNs[last]!,
    ...(excluded.length > 0 ? { excludedNs: new Set(excluded) } : {}),
    isSlicedBySeries: true,
  };
}

/** Reports whether AIPerf's window of an endpoint contains a scrape. */
export function hasAiperfScrape(endpoint: EndpointRecord, profiling: TimeRange): boolean {
  return markProfilingFrames(endpoint, endpoint.store.timeline(), profiling).includes(true);
}

function markProfilingFrames(
  { store, profilingScrapesNs }: EndpointRecord,
  { originNs, offsetsNs }: Timeline,
  { startNs }: TimeRange,
): boolean[] {
  if (profilingScrapesNs)
    return Array.from(offsetsNs, offset => profilingScrapesNs.has(originNs + BigInt(offset)));
  const latenciesNs = store.latenciesNs();
  const startOffset = Number(startNs - originNs);
  return Array.from(offsetsNs, (offset, frame) => offset - latenciesNs[frame]! >= startOffset);
}
