import { listInterruptedEndpoints } from '../run/availability.ts';
import type { Run } from '../run/run.ts';
import { AVAILABILITY_RULES } from './availabilityRules.ts';
import { CLIENT_RULES } from './clientRules.ts';
import { INTEGRITY_RULES } from './integrityRules.ts';
import { LOAD_RULES } from './loadRules.ts';
import { PRECISION_RULES } from './precisionRules.ts';
import type { Evidence, Finding, FindingRule, FindingSeverity, Thresholds } from './rule.ts';
import { findServerInstances } from './serverInstance.ts';

/** All rules, in the order of docs/summary.md. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...AVAILABILITY_RULES,
  ...LOAD_RULES,
  ...INTEGRITY_RULES,
  ...CLIENT_RULES,
  ...PRECISION_RULES,
];

/** Options to disable rules and change their thresholds. */
export interface FindingOptions {
  /** IDs of rules to skip. */
  readonly without?: Iterable<string>;
  /** Thresholds to change, by rule ID and threshold name. */
  readonly thresholds?: Readonly<Record<string, Thresholds>>;
}

const SEVERITY_ORDER: readonly FindingSeverity[] = ['problem', 'warning', 'note'];

/**
 * Applies the rules to a run, and returns its findings ordered by severity. If a server died or restarted, rules that
 * give advice on the load are skipped: its values cover only a part of the run, and other servers took over its load.
 */
export function findFindings(run: Run, options: FindingOptions = {}): Finding[] {
  const without = new Set(options.without);
  const instances = findServerInstances(run);
  const servers = [...new Set(instances.map(({ server }) => server))];
  const interrupted = new Set(listInterruptedEndpoints(run));
  const canAdviseOnLoad = !instances.some(({ endpoint }) => interrupted.has(endpoint));
  const rules = FINDING_RULES.filter(
    rule => !without.has(rule.id) && (canAdviseOnLoad || !rule.isLoadAdvice),
  );
  const findings = rules.flatMap(rule => {
    const limits = resolveThresholds(rule, options);
    if (rule.about === 'run') return createFindings(rule, undefined, rule.find(run, limits));
    return servers.flatMap(server =>
      createFindings(
        rule,
        server,
        instances
          .filter(instance => instance.server === server)
          .flatMap(instance => {
            const evidence = rule.find(instance, limits);
            return evidence ? [{ endpoint: instance.endpoint, ...evidence }] : [];
          }),
      ),
    );
  });
  return findings.sort((a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity));
}

function resolveThresholds({ id, thresholds }: FindingRule, options: FindingOptions): Thresholds {
  const defaults = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value]));
  return { ...defaults, ...options.thresholds?.[id] };
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
