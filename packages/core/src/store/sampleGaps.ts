import { computeMedianInterval } from './endpointInfo.ts';
import type { EndpointStore } from './endpointStore.ts';

/** A time between two samples, in nanoseconds since the origin of the timeline. */
export interface SampleGap {
  readonly startNs: number;
  readonly endNs: number;
}

/** The minimum duration of a gap, in nanoseconds and in usual intervals between samples. */
const MIN_GAP = { ns: 2e9, intervals: 4 };

/** Finds the times without samples that overlap a period, such as while a server does not respond. */
export function findSampleGaps(store: EndpointStore, period: SampleGap): SampleGap[] {
  const { offsetsNs } = store.timeline();
  if (offsetsNs.length < 3) return [];
  const minNs = Math.max(MIN_GAP.ns, MIN_GAP.intervals * computeMedianInterval(offsetsNs));
  const gaps: SampleGap[] = [];
  for (let row = 1; row < offsetsNs.length; row++) {
    const [startNs, endNs] = [offsetsNs[row - 1]!, offsetsNs[row]!];
    if (endNs - startNs >= minNs && endNs > period.startNs && startNs < period.endNs)
      gaps.push({ startNs, endNs });
  }
  return gaps;
}
