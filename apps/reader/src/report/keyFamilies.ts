import type { Run, RunFamily } from '@org/analysis';
import { type KeyMetricDefinition, recognizeServers } from '@org/servers';
import type { TraceKind } from './timeline/trace.ts';

/** A metric that is drawn on the timeline. */
export interface KeyFamily {
  readonly family: RunFamily;
  readonly meaning: string;
  readonly kind: TraceKind;
  /** The operation that combines the values of several endpoints. */
  readonly combined: 'sum' | 'mean' | 'max';
}

/** The maximum number of charts if the run contains no key metrics. */
const MAX_OTHER_METRICS = 12;

/**
 * Finds the key metrics of the recognized servers. If there are none, returns the first metrics of the run,
 * except info metrics and metrics of the server process.
 */
export function findKeyFamilies(run: Run): KeyFamily[] {
  const keyFamilies = recognizeServers(run.families.keys()).flatMap(({ keyMetrics }) =>
    keyMetrics.flatMap(metric => toKeyFamily(run.families.get(metric.name), metric)),
  );
  if (keyFamilies.length > 0) return keyFamilies;
  return [...run.families.values()]
    .filter(({ name }) => !/^(?:process|python|go|promhttp)_|_info$/.test(name))
    .flatMap(family => toKeyFamily(family, undefined))
    .slice(0, MAX_OTHER_METRICS);
}

function toKeyFamily(family: RunFamily | undefined, metric: KeyMetricDefinition | undefined): KeyFamily[] {
  if (!family) return [];
  const kind = KINDS[family.type];
  if (!kind) return [];
  return [
    {
      family,
      kind,
      meaning: metric?.meaning ?? family.description,
      combined: determineCombination(family, kind),
    },
  ];
}

const KINDS: Readonly<Record<string, TraceKind>> = {
  gauge: 'level',
  unknown: 'level',
  counter: 'rate',
  histogram: 'observations',
};

/** Determines how to combine endpoints: maximum of ratios, mean of observations, sum of other values. */
function determineCombination({ unit, name }: RunFamily, kind: TraceKind): KeyFamily['combined'] {
  if (kind === 'rate') return 'sum';
  if (kind === 'observations') return 'mean';
  if (unit === 'ratio' || unit === 'percent' || /(?:_perc|_percent|_usage|_rate|_utilization)$/.test(name))
    return 'max';
  return 'sum';
}
