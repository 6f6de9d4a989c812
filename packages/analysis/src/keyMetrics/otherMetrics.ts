import type { KeyMetricDefinition } from '@org/servers';
import { max, sum } from '../math.ts';
import { CLIENT_ENDPOINT } from '../run/clientMetrics.ts';
import type { Run } from '../run/run.ts';
import { type RunFamily, type RunSeries, readStat } from '../run/series.ts';

/** A metric of endpoints that belong to no known kind of server. */
export interface OtherMetric {
  readonly metric: KeyMetricDefinition;
  readonly family: RunFamily;
  /** The series of these endpoints. */
  readonly series: readonly RunSeries[];
}

/** Maximum number of metrics of each type. */
const MAX_METRICS = 6;

/** Metrics of the server process, of its runtime and of its configuration. */
const PROCESS_METRIC = /^(?:process|python|go|promhttp|jvm|nodejs)_|_info$/;

/**
 * Selects the metrics that describe the activity of unknown servers: the busiest counters, the gauges that moved most
 * compared with their values, and the histograms with the most observations.
 */
export function selectOtherMetrics(run: Run): OtherMetric[] {
  const known = findKnownEndpoints(run);
  const others = [...run.families.values()]
    .filter(family => !PROCESS_METRIC.test(family.name) && !isKnown(run, family))
    .map(family => ({ family, series: family.series.filter(({ endpoint }) => !known.has(endpoint)) }))
    .filter(({ series }) => series.length > 0);
  return [
    ...rank(others, ['counter'], 'rate', series => sum(series.map(({ stats }) => stats.rate ?? 0))),
    ...rank(others, ['gauge', 'unknown'], 'avg', series => max(series.map(measureMovement))),
    ...rank(others, ['histogram'], 'p99_estimate', series =>
      sum(series.map(({ stats }) => stats.count ?? 0)),
    ),
  ];
}

/** Returns the endpoints of known servers, and the client. */
function findKnownEndpoints({ families, servers }: Run): Set<string> {
  const known = new Set([CLIENT_ENDPOINT]);
  for (const family of families.values())
    if (isKnown({ servers }, family)) for (const { endpoint } of family.series) known.add(endpoint);
  return known;
}

function isKnown({ servers }: Pick<Run, 'servers'>, { name, series }: RunFamily): boolean {
  return servers.isKnown(name, Object.keys(series[0]?.labels ?? {}));
}

/** Returns the range of a gauge relative to its largest absolute value; 0 for a constant. */
function measureMovement(series: RunSeries): number {
  const [low, high] = [readStat(series, 'min') ?? 0, readStat(series, 'max') ?? 0];
  return high > low ? (high - low) / Math.max(Math.abs(low), Math.abs(high)) : 0;
}

type Candidate = Pick<OtherMetric, 'family' | 'series'>;

/** Returns the metrics of some types with the highest positive scores. Equal scores keep the order of the file. */
function rank(
  candidates: readonly Candidate[],
  types: readonly string[],
  stat: KeyMetricDefinition['stat'],
  score: (series: readonly RunSeries[]) => number,
): OtherMetric[] {
  return candidates
    .filter(({ family }) => types.includes(family.type))
    .map(candidate => ({ candidate, value: score(candidate.series) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_METRICS)
    .map(({ candidate }) => ({
      ...candidate,
      metric: { name: candidate.family.name, stat, meaning: candidate.family.description },
    }));
}
