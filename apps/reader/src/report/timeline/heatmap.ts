import { parseBound } from '@org/formats/read';
import type { Heatmap } from '../document.ts';
import type { KeyFamily } from '../keyFamilies.ts';
import type { Axis } from './timeAxis.ts';
import { ObservationTrace, type Trace } from './trace.ts';

/**
 * Builds the heat map of a histogram: the number of observations per bin and bucket, over all series. The first
 * series determines the bucket bounds. Empty buckets at both ends are omitted. Returns an empty array if there
 * are no observations or fewer than two buckets.
 */
export function buildHeatmap(
  { family, meaning }: KeyFamily,
  traces: ReadonlyMap<string, ReadonlyMap<string, Trace>>,
  { bins }: Axis,
): Heatmap[] {
  const observationTraces = [...traces.values()]
    .flatMap(byLabels => [...byLabels.values()])
    .filter(trace => trace instanceof ObservationTrace);
  const boundTexts = listBounds(observationTraces[0]);
  if (boundTexts.length < 2) return [];
  const bounds = boundTexts.map(parseBound);
  const counts = Array.from({ length: bins }, (_, bin) => {
    const cumulative = boundTexts.map(le =>
      observationTraces.reduce((sum, trace) => sum + (trace.buckets.get(le)?.[bin] ?? 0), 0),
    );
    return cumulative.map((count, i) => roundCount(count - (cumulative[i - 1] ?? 0)));
  });
  const isUsed = bounds.map((_, i) => counts.some(binCounts => binCounts[i]! > 0));
  const firstUsed = isUsed.indexOf(true);
  if (firstUsed < 0) return [];
  const lastUsed = isUsed.lastIndexOf(true);
  return [
    {
      name: family.name,
      meaning,
      unit: family.unit,
      bounds: bounds
        .slice(firstUsed, lastUsed + 1)
        .map(bound => (bound === Number.POSITIVE_INFINITY ? null : bound)),
      counts: counts.map(binCounts => binCounts.slice(firstUsed, lastUsed + 1)),
    },
  ];
}

function listBounds(trace: ObservationTrace | undefined): string[] {
  return [...(trace?.buckets.keys() ?? [])].sort((a, b) => parseBound(a) - parseBound(b));
}

/** Rounds a count to hundredths. Returns 0 for a negative count, which can result from rounding errors. */
function roundCount(count: number): number {
  return Math.max(0, Math.round(count * 100) / 100);
}
