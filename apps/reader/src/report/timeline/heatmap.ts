import type { Heatmap } from '../document.ts';
import type { WatchedFamily } from '../watchedFamilies.ts';
import type { Axis } from './timeAxis.ts';
import { ObservationTrace, type Trace } from './trace.ts';

/**
 * A histogram over time: how much each bucket got in each bin, of all series that have the same bounds as the first one.
 * Buckets that nothing ever fell into are left out at both ends. Empty for what is no histogram, or saw nothing.
 */
export function buildHeatmap(
  { family, meaning }: WatchedFamily,
  traces: ReadonlyMap<string, ReadonlyMap<string, Trace>>,
  { bins }: Axis,
): Heatmap[] {
  const observed = [...traces.values()]
    .flatMap(ofEndpoint => [...ofEndpoint.values()])
    .filter(one => one instanceof ObservationTrace);
  const texts = boundsOf(observed[0]);
  if (texts.length < 2) return [];
  const bounds = texts.map(numberOf);
  const counts = Array.from({ length: bins }, (_, bin) => {
    const cumulative = texts.map(le =>
      observed.reduce((sum, one) => sum + (one.buckets.get(le)?.[bin] ?? 0), 0),
    );
    return cumulative.map((count, i) => share(count - (cumulative[i - 1] ?? 0)));
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

function boundsOf(one: ObservationTrace | undefined): string[] {
  return [...(one?.buckets.keys() ?? [])].sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf(le: string): number {
  return le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
}

/** Observations are spread over bins in parts; differences of such sums may fall below 0 by a rounding error. */
function share(count: number): number {
  return Math.max(0, Math.round(count * 100) / 100);
}
