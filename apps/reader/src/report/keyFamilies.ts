import { type Run, type RunFamily, recognizeServers, selectOtherMetrics } from '@org/analysis';
import type { KeyMetricDefinition } from '@org/servers';
import type { TraceKind } from './timeline/trace.ts';

/** A metric that is drawn on the timeline. */
export interface KeyFamily {
  readonly family: RunFamily;
  readonly meaning: string;
  readonly kind: TraceKind;
  /** The operation that combines the values of several endpoints. */
  readonly combined: 'sum' | 'mean' | 'max';
}

/** Finds the key metrics of the recognized servers, and the main metrics of unknown servers. */
export function findKeyFamilies(run: Run): KeyFamily[] {
  const keyFamilies = recognizeServers(run).flatMap(({ keyMetrics }) =>
    keyMetrics.flatMap(metric => toKeyFamily(findFamily(run, metric.name), metric)),
  );
  const otherFamilies = selectOtherMetrics(run).flatMap(({ family, metric }) => toKeyFamily(family, metric));
  return [...keyFamilies, ...otherFamilies];
}

/** Finds the family of a metric under the first of its names that the run has. */
function findFamily({ families, servers }: Run, metric: string): RunFamily | undefined {
  const name = servers.listNames(metric).find(candidate => families.has(candidate));
  return name === undefined ? undefined : families.get(name);
}

function toKeyFamily(family: RunFamily | undefined, metric: KeyMetricDefinition): KeyFamily[] {
  if (!family) return [];
  const kind = KINDS[family.type];
  if (!kind) return [];
  return [
    {
      family,
      kind,
      meaning: metric.meaning,
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
