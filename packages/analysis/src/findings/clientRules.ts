import type { Evidence } from './finding.ts';
import { type FindingRule, runRule } from './rule.ts';

/** What the load generator found out about itself, and in what the servers do not agree with it. */
export const CLIENT_RULES: readonly FindingRule[] = [
  runRule(
    {
      id: 'client-disagrees',
      weight: 'warning',
      title: 'client and server disagree',
      advice:
        'The profile export has all of it under reconciliation; docs/profile.md says what each kind means.',
      thresholds: {},
    },
    ({ profile }) =>
      (profile?.reconciliation?.findings ?? []).map(({ message, count = 0 }) => evidence(message, count)),
  ),
  runRule(
    {
      id: 'client-busy',
      weight: 'warning',
      title: 'the client may have set the pace',
      advice: 'Its figures are doubtful: use fewer requests at a time, or several clients.',
      thresholds: {},
    },
    ({ profile }) => (profile?.load_generator?.warnings ?? []).map(({ message }) => evidence(message, 0)),
  ),
];

function evidence(text: string, count: number): Evidence {
  return { text, numbers: { count }, size: count };
}
