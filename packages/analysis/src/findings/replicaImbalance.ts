import { formatNumber, formatPercent } from '@org/core';
import { sum } from '../math.ts';
import type { Engine, ServingSystem } from '../servers/servingSystem.ts';
import { createLoadRule, type Evidence, type LoadRule, type Thresholds } from './rule.ts';

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

/**
 * Finds replicas of which one runs more requests than another that has room. Only replicas of the same model and
 * component are compared.
 */
function findImbalance(
  { engines }: ServingSystem,
  limits: Thresholds<'factor' | 'requests'>,
): { readonly evidence: readonly Evidence[] } {
  const replicas = engines.filter((engine): engine is Replica => engine.running !== undefined);
  const groups = [...new Set(replicas.map(({ group }) => group))].map(group =>
    replicas.filter(replica => replica.group === group),
  );
  return { evidence: groups.flatMap(group => compareReplicas(group, limits)) };
}

function compareReplicas(group: readonly Replica[], limits: Thresholds<'factor' | 'requests'>): Evidence[] {
  const sorted = [...group].sort((a, b) => computeLoad(b) - computeLoad(a));
  const [busiest, least] = [sorted[0]!, sorted.at(-1)!];
  const [high, low] = [computeLoad(busiest), computeLoad(least)];
  const hasRoom = (least.waiting?.avg ?? 0) < MAX_WAITING;
  if (!hasRoom || high - low < limits.requests || high < limits.factor * low) return [];
  const total = sum(group.map(({ outputTokens = 0 }) => outputTokens));
  const describe = (replica: Replica): string =>
    `${replica.name} had ${formatNumber(computeLoad(replica))} requests on average${describeShare(replica, total)}`;
  return [
    {
      endpoint: busiest.name,
      text: `${describe(busiest)}, ${describe(least)}`,
      numbers: { busiest: high, least: low, replicas: group.length },
      magnitude: high - low,
    },
  ];
}

function computeLoad({ running, waiting }: Replica): number {
  return running.avg + (waiting?.avg ?? 0);
}

function describeShare({ outputTokens }: Replica, total: number): string {
  return outputTokens === undefined || total === 0
    ? ''
    : ` (${formatPercent(outputTokens / total)} of the output tokens)`;
}
