import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';

/** Rules on the load generator: whether it was overloaded, and whether its counts match the servers. */
export const CLIENT_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'client-server-mismatch',
      severity: 'warning',
      title: 'client and server disagree',
      advice:
        'See reconciliation in the profile export for details; docs/profile.md explains each kind of finding.',
      thresholds: {},
    },
    ({ profile }) =>
      (profile?.reconciliation?.findings ?? []).map(({ message, count = 0 }) =>
        createEvidence(message, count),
      ),
  ),
  createRunRule(
    {
      id: 'client-overload',
      severity: 'warning',
      title: 'the client may be the bottleneck',
      advice: 'Client latencies may be too high: reduce concurrency, or use several clients.',
      thresholds: {},
    },
    ({ profile }) =>
      (profile?.load_generator?.warnings ?? []).map(({ message }) => createEvidence(message, 0)),
  ),
];

function createEvidence(text: string, count: number): Evidence {
  return { text, numbers: { count }, magnitude: count };
}
