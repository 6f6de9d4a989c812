import { formatCount, formatNumber, formatValue } from '@org/core';
import type { MetricRole } from '@org/servers';
import { findBucket, toBucketTable } from '../buckets.ts';
import { hasDiedOrRestarted } from '../run/availability.ts';
import type { Run } from '../run/run.ts';
import { type Observations, readObservations, readSliceObservations } from '../servers/observations.ts';
import { type Engine, findServingSystem } from '../servers/servingSystem.ts';
import { REPLICA_IMBALANCE, SLOW_REPLICA_TITLE } from './replicaImbalance.ts';
import { createRunRule, type Evidence, type FindingRule, type Thresholds } from './rule.ts';

type Limits = Thresholds<'factor' | 'observations' | 'slices'>;

/** Latencies to compare, in order of preference. The time between tokens does not depend on the length of requests. */
const LATENCY_ROLES: readonly (readonly [role: MetricRole, name: string])[] = [
  ['interTokenLatency', 'per token'],
  ['requestLatency', 'per request'],
];

/**
 * Maximum ratio of the requests that a slow replica completed to the mean of the others. A replica that receives more
 * requests is slower because of its load.
 */
const MAX_COMPLETED_RATIO = 1.2;

/** One replica or rank is slower than the others, although it does not receive more requests. */
export const SLOW_REPLICA: FindingRule = createRunRule(
  {
    id: 'slow-replica',
    severity: 'warning',
    title: 'a replica is slower than the others',
    advice:
      'It received no more requests than the others: compare its clocks, temperature and errors, its options, other programs on its host, and the length of its requests.',
    thresholds: {
      factor: { value: 1.5, meaning: 'minimum ratio of its mean latency to that of the others' },
      observations: { value: 50, meaning: 'minimum number of observations of each replica' },
      slices: { value: 6, meaning: 'minimum number of timeslices in which all replicas are compared' },
    },
  },
  findSlowReplicas,
);

function findSlowReplicas(run: Run, limits: Limits): Evidence[] {
  const system = findServingSystem(run);
  if (!system || run.endpoints.some(hasDiedOrRestarted)) return [];
  // The verdict on the load already names the slow replica.
  const imbalance = REPLICA_IMBALANCE.find(system, { factor: 2, requests: 2 });
  if (imbalance?.title === SLOW_REPLICA_TITLE && imbalance.evidence.length > 0) return [];
  const groups = [...new Set(system.engines.map(({ group }) => group))];
  return groups.flatMap(group =>
    findSlowest(
      system.engines.filter(engine => engine.group === group),
      limits,
    ),
  );
}

function findSlowest(replicas: readonly Engine[], limits: Limits): Evidence[] {
  for (const [role, name] of LATENCY_ROLES) {
    const measured = replicas.map(engine => readObservations(engine.series(role)));
    if (replicas.length < 2 || measured.some(entry => entry === undefined)) continue;
    const known = measured as readonly Observations[];
    const slowest = known.reduce((worst, { mean }, i) => (mean > known[worst]!.mean ? i : worst), 0);
    const others = replicas.filter((_, i) => i !== slowest);
    return compare(replicas[slowest]!, others, { role, name }, limits);
  }
  return [];
}

/** Compares the slowest replica with all others together. Without certainty, there is no evidence. */
function compare(
  slow: Engine,
  others: readonly Engine[],
  { role, name }: { readonly role: MetricRole; readonly name: string },
  limits: Limits,
): Evidence[] {
  const otherSeries = others.flatMap(engine => engine.series(role));
  const [mine, rest] = [readObservations(slow.series(role))!, readObservations(otherSeries)!];
  const hasEnough = [slow, ...others].every(
    engine => readObservations(engine.series(role))!.count >= limits.observations,
  );
  if (!hasEnough || mine.mean < limits.factor * rest.mean || receivesMore(slow, others)) return [];
  if (!isSlowerInMostSlices(slow, others, role, limits.slices) && !hasSlowerMedian(slow, others, role))
    return [];
  const otherText = others.length === 1 ? others[0]!.name : `the other ${others.length} replicas`;
  return [
    {
      endpoint: slow.name,
      text: `${formatValue(mine.mean, mine.unit)} ${name} (${formatCount(mine.count, 'observation')}), ${otherText} ${formatValue(rest.mean, rest.unit)}: ${formatNumber(mine.mean / rest.mean)} times as long`,
      numbers: { mean: mine.mean, others: rest.mean, observations: mine.count, replicas: others.length + 1 },
      magnitude: mine.mean / rest.mean,
    },
  ];
}

/** Reports whether a replica completed more requests than the mean of the others, or whether this is unknown. */
function receivesMore(slow: Engine, others: readonly Engine[]): boolean {
  const counts = others.map(({ completed }) => completed?.count ?? 0);
  const mean = counts.reduce((a, b) => a + b, 0) / counts.length;
  return slow.completed === undefined || slow.completed.count > MAX_COMPLETED_RATIO * mean;
}

/** Minimum share of timeslices in which a slow replica is slower. */
const MIN_SLOWER_SHARE = 0.9;

function isSlowerInMostSlices(
  slow: Engine,
  others: readonly Engine[],
  role: MetricRole,
  minSlices: number,
): boolean {
  const rest = new Map(
    readSliceObservations(others.flatMap(engine => engine.series(role))).map(slice => [slice.startNs, slice]),
  );
  const pairs = readSliceObservations(slow.series(role)).flatMap(slice => {
    const other = rest.get(slice.startNs);
    return other ? [slice.mean > other.mean] : [];
  });
  return pairs.length >= minSlices && pairs.filter(Boolean).length >= MIN_SLOWER_SHARE * pairs.length;
}

/** Reports whether the bucket of the replica's median is above the buckets of all other medians. */
function hasSlowerMedian(slow: Engine, others: readonly Engine[], role: MetricRole): boolean {
  const readMedians = (engine: Engine): (readonly [number, number])[] =>
    engine.series(role).flatMap(({ buckets }) => {
      const table = toBucketTable(buckets);
      return table ? [findBucket(table, 0.5)] : [];
    });
  const mine = readMedians(slow);
  const rest = others.flatMap(readMedians);
  if (mine.length === 0 || rest.length < others.length) return false;
  return Math.min(...mine.map(([lower]) => lower)) >= Math.max(...rest.map(([, upper]) => upper));
}
