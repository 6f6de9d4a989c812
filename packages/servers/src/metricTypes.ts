import type { KeyStat, RoleMetric, ServerDefinition } from './serverDefinition.ts';

/** The types of metrics that definitions use. */
export type UsedType = 'gauge' | 'counter' | 'histogram';

/** The type that each operation of a role requires. */
const OPERATION_TYPES: Readonly<Record<RoleMetric['operation'], UsedType>> = {
  sum: 'gauge',
  max: 'gauge',
  mean: 'gauge',
  total: 'counter',
  busy: 'counter',
  observed: 'histogram',
  count: 'histogram',
  p99: 'histogram',
};

/** The type that each statistic of a key metric requires. */
const STAT_TYPES: Readonly<Record<KeyStat, UsedType>> = {
  avg: 'gauge',
  max: 'gauge',
  total: 'counter',
  rate: 'counter',
  p99_estimate: 'histogram',
};

/** Returns the type of metric that a statistic belongs to. */
export function getStatType(stat: KeyStat): UsedType {
  return STAT_TYPES[stat];
}

/** Lists the metrics that key metrics and roles use, with the type that the use requires. */
export function listUsedTypes({ keyMetrics, roles }: ServerDefinition): ReadonlyMap<string, UsedType> {
  return new Map([
    ...keyMetrics.map(({ name, stat }) => [name, STAT_TYPES[stat]] as const),
    ...Object.values(roles).flatMap(({ metrics, operation }) =>
      metrics.map(name => [name, OPERATION_TYPES[operation]] as const),
    ),
  ]);
}
