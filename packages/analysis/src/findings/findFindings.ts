import type { Run } from '../run/run.ts';
import { CLIENT_RULES } from './clientRules.ts';
import type { Evidence, Finding, FindingWeight } from './finding.ts';
import { INTEGRITY_RULES } from './integrityRules.ts';
import { LOAD_RULES } from './loadRules.ts';
import { PRECISION_RULES } from './precisionRules.ts';
import type { FindingRule, Thresholds } from './rule.ts';
import { findServerInstances } from './subject.ts';

/** Every rule. docs/summary.md has a line for each; a test keeps both equal. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...LOAD_RULES,
  ...INTEGRITY_RULES,
  ...CLIENT_RULES,
  ...PRECISION_RULES,
];

/** What a user changes of the rules. */
export interface FindingOptions {
  /** Ids of rules that are left out. */
  readonly without?: Iterable<string>;
  /** Thresholds by rule and name. */
  readonly thresholds?: Readonly<Record<string, Thresholds>>;
}

const ORDER: readonly FindingWeight[] = ['problem', 'warning', 'note'];

/** What there is to say about a run, the most important first. */
export function findFindings(run: Run, options: FindingOptions = {}): Finding[] {
  const without = new Set(options.without);
  const subjects = findServerInstances(run);
  const servers = [...new Set(subjects.map(({ server }) => server))];
  const found = FINDING_RULES.filter(({ id }) => !without.has(id)).flatMap(rule => {
    const at = thresholdsOf(rule, options);
    if (rule.about === 'run') return finding(rule, undefined, rule.find(run, at));
    return servers.flatMap(server =>
      finding(
        rule,
        server,
        subjects
          .filter(subject => subject.server === server)
          .flatMap(subject => {
            const evidence = rule.find(subject, at);
            return evidence ? [{ endpoint: subject.endpoint, ...evidence }] : [];
          }),
      ),
    );
  });
  return found.sort((a, b) => ORDER.indexOf(a.weight) - ORDER.indexOf(b.weight));
}

function thresholdsOf({ id, thresholds }: FindingRule, options: FindingOptions): Thresholds {
  const own = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value]));
  return { ...own, ...options.thresholds?.[id] };
}

function finding(
  { id, weight, title, advice, adviceFor }: FindingRule,
  server: string | undefined,
  evidence: readonly Evidence[],
): Finding[] {
  if (evidence.length === 0) return [];
  return [
    {
      id,
      weight,
      ...(server !== undefined && { server }),
      title,
      advice: (server !== undefined && adviceFor?.[server]) || advice,
      evidence: [...evidence].sort((a, b) => b.size - a.size),
    },
  ];
}
