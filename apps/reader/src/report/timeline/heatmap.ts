import type { Heatmap } from '../document.ts';
import type { WatchedFamily } from '../watchedFamilies.ts';
import type { Axis } from './timeAxis.ts';
import { ObservationTrace, type Trace } from './trace.ts';

/**
 * Builds the heat map of a histogram: the observations per bucket and bin, over all series with the bounds of
 * the first one. Empty buckets at both ends are left out. Returns nothing if there are no observations.
 */
export function buildHeatmap(
  { family, meaning }: WatchedFamily,
  traces: ReadonlyMap<string, ReadonlyMap<string, Trace>>,
  { bins }: Axis,
): Heatmap[] {
  const observed = [...traces.values()]
    .flatMap(ofEndpoint => [...ofEndpoint.values()])
    .filter(trace => trace instanceof ObservationTrace);
  const texts = listBounds(observed[0]);
  if (texts.length < 2) return [];
  const bounds = texts.map(parseBound);
  const counts = Array.from({ length: bins }, (_, bin) => {
    const cumulative = texts.map(le =>
      observed.reduce((sum, trace) => sum + (trace.buckets.get(le)?.[bin] ?? 0), 0),
    );
    return cumulative.map((count, i) => roundCount(count - (cumulative[i - 1] ?? 0)));
  });
  const used = bounds.map((_, i) => counts.some(ofBin => ofBin[i]! > 0));
  const first = used.indexOf(true);
  if (first < 0) return [];
  const last = used.lastIndexOf(true);
  return [
    {
      name: family.name,
      meaning,
      unit: family.unit,
      bounds: bounds.slice(first, last + 1).map(bound => (bound === Number.POSITIVE_INFINITY ? null : bound)),
      counts: counts.map(ofBin => ofBin.slice(first, last + 1)),
    },
  ];
}

function listBounds(trace: ObservationTrace | undefined): string[] {
  return [...(trace?.buckets.keys() ?? [])].sort((a, b) => parseBound(a) - parseBound(b));
}

function parseBound(le: string): number {
  return le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
}

/** Rounds a count. Observations are spread over bins proportionally, so differences may be slightly negative. */
function roundCount(count: number): number {
  return Math.max(0, Math.round(count * 100) / 100);
}
