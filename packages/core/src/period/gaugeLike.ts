import { getPrimarySlot, type Series } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import { lowerBound, upperBound } from '../store/timeline.ts';
import { isCumulative } from './creation.ts';
import type { SeriesHistory } from './seriesHistory.ts';
import type { Period } from './window.ts';

/** Minimum number of falls of a counter that behaves like a gauge. */
const MIN_FALLS = 3;
/** Minimum fraction of common falls of two counters that are reset together. */
const MIN_COMMON_FALLS = 0.9;

/** Reports whether a counter with this number of decreases behaves like a gauge. */
export function isGaugeLike(decreases: number, history: SeriesHistory): boolean {
  return decreases >= MIN_FALLS && history.isGaugeLike?.() === true;
}

/**
 * Finds the counters of an endpoint that behave like gauges: they fall at least 3 times in the period, and never
 * together with a restart of the server or with other counters, as in a reset. Other counters that fall often are
 * ignored unless they fall at the same times.
 */
export function findGaugeLikeCounters(
  store: EndpointStore,
  period: Period,
  restartsNs: readonly number[],
): ReadonlySet<Series> {
  const fallsBySeries = listFalls(store, period);
  const restarts = new Set(restartsNs);
  const candidates = [...fallsBySeries].filter(
    ([series, falls]) => series.kind === 'scalar' && falls.size >= MIN_FALLS && !isAnyIn(falls, restarts),
  );
  const unlikely = new Set(candidates.map(([series]) => series));
  const resetTimes = new Set<number>();
  for (const [series, falls] of fallsBySeries)
    if (!unlikely.has(series)) for (const timeNs of falls) resetTimes.add(timeNs);
  return new Set(
    candidates
      .filter(([series, falls]) => !isAnyIn(falls, resetTimes) && !hasCompanion(series, falls, candidates))
      .map(([series]) => series),
  );
}

type Falls = ReadonlySet<number>;

/** Counts the cumulative series that fall at the same time, by time, except the given series. */
export function countFalls(
  store: EndpointStore,
  period: Period,
  except: ReadonlySet<Series>,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [series, falls] of listFalls(store, period))
    if (!except.has(series)) for (const timeNs of falls) counts.set(timeNs, (counts.get(timeNs) ?? 0) + 1);
  return counts;
}

/** Returns the times of the falls of each cumulative series that falls. */
function listFalls(store: EndpointStore, period: Period): Map<Series, Falls> {
  const { offsetsNs } = store.timeline();
  const start = Math.max(0, lowerBound(offsetsNs, period.startNs) - 1);
  const end = upperBound(offsetsNs, period.endNs);
  const fallsBySeries = new Map<Series, Falls>();
  for (const series of store.layout.series) {
    if (!isCumulative(series)) continue;
    const falls = new Set<number>();
    let last = Number.NaN;
    store.column(getPrimarySlot(series), start, end).forEach((value, row) => {
      if (value < last) falls.add(offsetsNs[start + row]!);
      if (!Number.isNaN(value)) last = value;
    });
    if (falls.size > 0) fallsBySeries.set(series, falls);
  }
  return fallsBySeries;
}

function isAnyIn(falls: Falls, times: ReadonlySet<number>): boolean {
  for (const timeNs of falls) if (times.has(timeNs)) return true;
  return false;
}

/** Reports whether another counter falls at almost the same times, so that both are reset together. */
function hasCompanion(
  series: Series,
  falls: Falls,
  candidates: readonly (readonly [Series, Falls])[],
): boolean {
  return candidates.some(([other, otherFalls]) => {
    if (other === series) return false;
    let common = 0;
    for (const timeNs of falls) if (otherFalls.has(timeNs)) common++;
    return common >= MIN_COMMON_FALLS * Math.max(falls.size, otherFalls.size);
  });
}
