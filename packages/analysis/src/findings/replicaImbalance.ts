import { formatCount, formatNumber, formatPercent, formatValue } from '@org/core';
import { sum } from '../math.ts';
import type { Observations } from '../servers/observations.ts';
import type { Engine, ServingSystem } from '../servers/servingSystem.ts';
import { createLoadRule, type Evidence, type LoadRule, type LoadVerdict, type Thresholds } from './rule.ts';

/** An engine whose load is known. */
type Replica = Engine & { readonly running: NonNullable<Engine['running']> };

/** The maximum mean queue of a replica that has room. */
const MAX_WAITING = 0.5;

/** The load is distributed unevenly. */
export const REPLICA_IMBALANCE: LoadRule = createLoadRule(
  {
    id: 'replica-imbalance',
    severity: 'warning',
    title: 'replicas are loaded unevenly',
    advice:
      'The least loaded replica has room: check the policy of the load balancer or router before you change the load.',
    thresholds: {
      factor: { value: 2, meaning: 'minimum ratio of running requests of two replicas' },
      requests: { value: 2, meaning: 'minimum difference in running requests' },
    },
  },
  findImbalance,
);

/** Title of the finding if the busiest replica is slow. */
export const SLOW_REPLICA_TITLE = 'a replica is slow';

const SLOW_REPLICA = {
  title: SLOW_REPLICA_TITLE,
  advice:
    'It completed about as many requests as the others, and needed longer for them: check its log, its hardware and the length of its requests.',
};

/** Maximum ratio of the completed requests of two replicas that received about the same load. */
const MAX_COMPLETED_RATIO = 1.5;

/**
 * Finds replicas of which one runs more requests than another that has room. Only replicas of the same model and
 * component are compared.
 */
function findImbalance({ engines }: ServingSystem, limits: Thresholds<'factor' | 'requests'>): LoadVerdict {
  const replicas = engines.filter((engine): engine is Replica => engine.running !== undefined);
  const groups = [...new Set(replicas.map(({ group }) => group))].map(group =>
    replicas.filter(replica => replica.group === group),
  );
  const found = groups.flatMap(group => compareReplicas(group, limits));
  const isSlow = found.length > 0 && found.every(imbalance => imbalance.isSlow);
  return { ...(isSlow && SLOW_REPLICA), evidence: found.map(({ evidence }) => evidence) };
}

/** Two replicas with different loads. */
interface Imbalance {
  /** True if the busiest replica needs longer for about as many requests. */
  readonly isSlow: boolean;
  readonly evidence: Evidence;
}

function compareReplicas(group: readonly Replica[], limits: Thresholds<'factor' | 'requests'>): Imbalance[] {
  const sorted = [...group].sort((a, b) => computeLoad(b) - computeLoad(a));
  const [busiest, least] = [sorted[0]!, sorted.at(-1)!];
  const [high, low] = [computeLoad(busiest), computeLoad(least)];
  const hasRoom = (least.waiting?.avg ?? 0) < MAX_WAITING;
  if (!hasRoom || high - low < limits.requests || high < limits.factor * low) return [];
  const total = sum(group.map(({ outputTokens = 0 }) => outputTokens));
  const describe = (replica: Replica): string =>
    `${replica.name} had ${formatNumber(computeLoad(replica))} requests on average${describeShare(replica, total)}`;
  const latencies = compareLatencies(busiest, least, limits.factor);
  return [
    {
      isSlow: latencies !== undefined,
      evidence: {
        endpoint: busiest.name,
        text: latencies ?? `${describe(busiest)}, ${describe(least)}`,
        numbers: { busiest: high, least: low, replicas: group.length },
        magnitude: high - low,
      },
    },
  ];
}

/** Describes the latencies of two replicas if the busiest is slow; otherwise, it received more requests. */
function compareLatencies(busiest: Replica, least: Replica, factor: number): string | undefined {
  const [slow, fast] = [busiest.completed, least.completed];
  if (!slow || !fast || slow.mean < factor * fast.mean) return undefined;
  if (slow.count > MAX_COMPLETED_RATIO * fast.count) return undefined;
  const describe = (name: string, { mean, count, unit }: Observations): string =>
    `${name} needed ${formatValue(mean, unit)} per request (${formatCount(count, 'request')})`;
  return `${describe(busiest.name, slow)}, ${describe(least.name, fast)}`;
}

function computeLoad({ running, waiting }: Replica): number {
  return running.avg + (waiting?.avg ?? 0);
}

function describeShare({ outputTokens }: Replica, total: number): string {
  return outputTokens === undefined || total === 0
    ? ''
    : ` (${formatPercent(outputTokens / total)} of the output tokens)`;
}
