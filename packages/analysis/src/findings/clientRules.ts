import { describeOverSaturation } from '@org/record';
import { type ClientDelay, measureClientDelay } from './clientDelay.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { isStall } from './stalls.ts';

/** Kinds of warnings of the load generator that do not depend on a share of the latency. */
const LOSSES: ReadonlySet<string> = new Set(['record_backlog', 'worker_lost']);

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
      (profile?.reconciliation?.findings ?? [])
        .filter(finding => !isStall(finding))
        .map(({ message, count = 0 }) => createEvidence(message, count)),
  ),
  createRunRule(
    {
      id: 'client-overload',
      severity: 'warning',
      title: 'client measurements may be unreliable',
      advice: 'Use more threads (--workers) or several clients, or stop other programs on the machine.',
      thresholds: {
        share: { value: 0.1, meaning: 'minimum ratio of the delay to the median time to first token' },
      },
    },
    (run, limits) => {
      const delay = measureClientDelay(run, 'first_event');
      const warnings = run.profile?.load_generator?.warnings ?? [];
      return [
        ...(delay && delay.share >= limits.share ? [describeDelay(delay)] : []),
        ...warnings.filter(({ kind }) => LOSSES.has(kind)).map(({ message }) => createEvidence(message, 0)),
      ];
    },
  ),
  createRunRule(
    {
      id: 'truncated-streams',
      severity: 'warning',
      title: 'streams may be truncated',
      advice: 'Check whether the server sends a finish_reason or [DONE] at the end of each stream.',
      thresholds: {},
    },
    ({ profile }) =>
      (profile?.load_generator?.warnings ?? [])
        .filter(({ kind }) => kind === 'missing_end_markers')
        .map(({ message }) => createEvidence(message, 0)),
  ),
  createRunRule(
    {
      id: 'over-saturated-load',
      severity: 'warning',
      title: 'the load was ended, because the servers were over-saturated',
      advice:
        'Reduce the load, or add capacity; the statistics of this run depend on the time at which it was ended.',
      thresholds: {},
    },
    ({ profile }) => {
      const saturation = profile?.load_generator?.over_saturation;
      return saturation ? [createEvidence(describeOverSaturation(saturation), saturation.requests)] : [];
    },
  ),
];

function createEvidence(text: string, count: number): Evidence {
  return { text, numbers: { count }, magnitude: count };
}

function describeDelay({ text, numbers, share }: ClientDelay): Evidence {
  return { text, numbers, magnitude: share };
}
