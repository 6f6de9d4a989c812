import type { Evidence, FindingRule } from './finding.ts';

/** What the load generator found out about itself, and in what the servers do not agree with it. */
export const CLIENT_RULES: readonly FindingRule[] = [
  {
    id: 'client-disagrees',
    about: 'run',
    weight: 'warning',
    title: 'client and server disagree',
    advice:
      'The profile export has all of it under reconciliation; docs/profile.md says what each kind means.',
    thresholds: {},
    find: ({ profile }) =>
      (profile?.reconciliation?.findings ?? []).map(({ message, count = 0 }) => evidence(message, count)),
  },
  {
    id: 'client-busy',
    about: 'run',
    weight: 'warning',
    title: 'the client may have set the pace',
    advice: 'Its figures are doubtful: use fewer requests at a time, or several clients.',
    thresholds: {},
    find: ({ profile }) =>
      (profile?.load_generator?.warnings ?? []).map(({ message }) => evidence(message, 0)),
  },
];

function evidence(text: string, count: number): Evidence {
  return { text, numbers: { count }, size: count };
}
