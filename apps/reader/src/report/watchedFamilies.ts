import type { Run, RunFamily } from '@org/analysis';
import { recognizeServers, type WatchedMetric } from '@org/servers';
import type { TraceKind } from './timeline/trace.ts';

/** A metric that the report draws over time. */
export interface WatchedFamily {
  readonly family: RunFamily;
  readonly meaning: string;
  readonly kind: TraceKind;
  readonly combined: 'sum' | 'mean' | 'max';
}

/** Without a server that we know: so many of what there is. */
const UNKNOWN = 12;

/** The key metrics of the servers that a run shows; of unknown ones, what they have of each type. */
export function findWatchedFamilies(run: Run): WatchedFamily[] {
  const known = recognizeServers(run.families.keys()).flatMap(({ watched }) =>
    watched.flatMap(metric => watchedFamily(run.families.get(metric.name), metric)),
  );
  if (known.length > 0) return known;
  return [...run.families.values()]
    .filter(({ name }) => !/^(?:process|python|go|promhttp)_|_info$/.test(name))
    .flatMap(family => watchedFamily(family, undefined))
    .slice(0, UNKNOWN);
}

function watchedFamily(family: RunFamily | undefined, metric: WatchedMetric | undefined): WatchedFamily[] {
  if (!family) return [];
  const kind = KINDS[family.type];
  if (!kind) return [];
  return [
    { family, kind, meaning: metric?.meaning ?? family.description, combined: combination(family, kind) },
  ];
}

const KINDS: Readonly<Record<string, TraceKind>> = {
  gauge: 'level',
  unknown: 'level',
  counter: 'rate',
  histogram: 'observations',
};

/** Requests and tokens of several endpoints add up; shares and times do not. */
function combination({ unit, name }: RunFamily, kind: TraceKind): WatchedFamily['combined'] {
  if (kind === 'rate') return 'sum';
  if (kind === 'observations') return 'mean';
  if (unit === 'ratio' || unit === 'percent' || /(?:_perc|_percent|_usage|_rate|_utilization)$/.test(name))
    return 'max';
  return 'sum';
}
