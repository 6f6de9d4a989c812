import type { Run } from '../run/run.ts';
import { CLIENT_RULES } from './clientRules.ts';
import { INTEGRITY_RULES } from './integrityRules.ts';
import { LOAD_RULES } from './loadRules.ts';
import { PRECISION_RULES } from './precisionRules.ts';
import type { Evidence, Finding, FindingRule, FindingSeverity, Thresholds } from './rule.ts';
import { findServerInstances } from './serverInstance.ts';

/** Every rule. docs/summary.md documents each of them; a test compares both lists. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...LOAD_RULES,
  ...INTEGRITY_RULES,
  ...CLIENT_RULES,
  ...PRECISION_RULES,
];

/** Changes to the rules. */
export interface FindingOptions {
  /** IDs of rules to leave out. */
  readonly without?: Iterable<string>;
  /** Thresholds by rule ID and name. */
  readonly thresholds?: Readonly<Record<string, Thresholds>>;
}

const SEVERITY_ORDER: readonly FindingSeverity[] = ['problem', 'warning', 'note'];

/** Finds problems in a run, the most important first. */
export function findFindings(run: Run, options: FindingOptions = {}): Finding[] {
  const without = new Set(options.without);
  const subjects = findServerInstances(run);
  const servers = [...new Set(subjects.map(({ server }) => server))];
  const found = FINDING_RULES.filter(({ id }) => !without.has(id)).flatMap(rule => {
    const limits = resolveThresholds(rule, options);
    if (rule.about === 'run') return createFindings(rule, undefined, rule.find(run, limits));
    return servers.flatMap(server =>
      createFindings(
        rule,
        server,
        subjects
          .filter(subject => subject.server === server)
          .flatMap(subject => {
            const evidence = rule.find(subject, limits);
            return evidence ? [{ endpoint: subject.endpoint, ...evidence }] : [];
          }),
      ),
    );
  });
  return found.sort((a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity));
}

function resolveThresholds({ id, thresholds }: FindingRule, options: FindingOptions): Thresholds {
  const own = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value]));
  return { ...own, ...options.thresholds?.[id] };
}

function createFindings(
  { id, severity, title, advice, adviceFor }: FindingRule,
  server: string | undefined,
  evidence: readonly Evidence[],
): Finding[] {
  if (evidence.length === 0) return [];
  return [
    {
      id,
      severity,
      ...(server !== undefined && { server }),
      title,
      advice: (server !== undefined && adviceFor?.[server]) || advice,
      evidence: [...evidence].sort((a, b) => b.magnitude - a.magnitude),
    },
  ];
}
