import { findPartialCoverages } from '../run/availability.ts';
import type { RunEndpoint } from '../run/endpoints.ts';
import type { Run } from '../run/run.ts';
import { findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import { findServingSystem } from '../servers/servingSystem.ts';
import { AVAILABILITY_RULES, STALLED_SERVER } from './availabilityRules.ts';
import { CLIENT_RULES } from './clientRules.ts';
import { COUNTER_RULES } from './counterRules.ts';
import { COVERAGE_RULES } from './coverageRules.ts';
import { ENGINE_RULES } from './engineRules.ts';
import { FAILURE_RULES } from './failureRules.ts';
import { FRONTEND_LIMIT } from './frontendRules.ts';
import { GPU_RULES } from './gpuRules.ts';
import { LOAD_RULES } from './loadRules.ts';
import { PRECISION_RULES } from './precisionRules.ts';
import { PREFILL_INTERFERENCE } from './prefillInterference.ts';
import { REQUEST_RULES } from './requestRules.ts';
import { REUSE_RULES } from './reuseRules.ts';
import type { Finding, FindingRule, FindingSeverity, LoadVerdict, ServerRule, Thresholds } from './rule.ts';
import { SCRAPE_RULES } from './scrapeRules.ts';

/** All rules, in the order of docs/summary.md. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...AVAILABILITY_RULES,
  ...FAILURE_RULES,
  ...LOAD_RULES,
  ...REQUEST_RULES,
  ...REUSE_RULES,
  PREFILL_INTERFERENCE,
  ...ENGINE_RULES,
  FRONTEND_LIMIT,
  ...GPU_RULES,
  ...SCRAPE_RULES,
  ...COUNTER_RULES,
  ...COVERAGE_RULES,
  ...CLIENT_RULES,
  ...PRECISION_RULES,
];

const UNAVAILABILITY_IDS: ReadonlySet<string> = new Set(
  [...AVAILABILITY_RULES.filter(({ severity }) => severity === 'problem'), STALLED_SERVER].map(
    ({ id }) => id,
  ),
);
const FAILURE_IDS: ReadonlySet<string> = new Set([
  ...UNAVAILABILITY_IDS,
  ...FAILURE_RULES.map(({ id }) => id),
]);

/** Reports whether a finding is about a server that died, restarted or stalled. It explains other failures. */
export function isUnavailabilityFinding({ id }: Pick<Finding, 'id'>): boolean {
  return UNAVAILABILITY_IDS.has(id);
}

/** Reports whether a finding is about failures or stalls. Summaries show these findings before all metrics. */
export function isFailureFinding({ id }: Pick<Finding, 'id'>): boolean {
  return FAILURE_IDS.has(id);
}

/** Options to disable rules and change their thresholds. */
export interface FindingOptions {
  /** IDs of rules to skip. */
  readonly without?: Iterable<string>;
  /** Thresholds to change, by rule ID and threshold name. */
  readonly thresholds?: Readonly<Record<string, Thresholds>>;
}

const SEVERITY_ORDER: readonly FindingSeverity[] = ['problem', 'warning', 'note'];

/** Applies the rules to a run, and returns its findings: failures first, then ordered by severity. */
export function findFindings(run: Run, options: FindingOptions = {}): Finding[] {
  const without = new Set(options.without);
  return [...findLoadVerdict(run, options), ...findIndependentFindings(run, options)]
    .filter(({ id }) => !without.has(id))
    .sort((a, b) => getRank(a) - getRank(b));
}

/** Returns the order of a finding: failures first, then by severity, then by rule. */
function getRank(finding: Finding): number {
  const rule = FINDING_RULES.findIndex(({ id }) => id === finding.id);
  const group = isFailureFinding(finding) ? 0 : SEVERITY_ORDER.length;
  return (group + SEVERITY_ORDER.indexOf(finding.severity)) * FINDING_RULES.length + rule;
}

/**
 * Returns the finding of the first load rule that applies. Omitting a rule does not make room for the next one, whose
 * conclusion would be wrong.
 *
 * If a server restarted, or died before the end of the run, there is no verdict: its values cover only a part of the run,
 * and other servers took over its load. Neither is there one if an endpoint mixes the values of several processes. After
 * a death near the end, only overload is reported: more load is no remedy for a server that died.
 */
function findLoadVerdict(run: Run, options: FindingOptions): Finding[] {
  const system = findServingSystem(run);
  if (!system) return [];
  const endpoints = run.endpoints.filter(({ name }) => system.endpoints.has(name));
  const partial = findPartialCoverages(run);
  if (endpoints.some(endpoint => isUnreliable(endpoint, partial.has(endpoint.url)))) return [];
  const hasDeath = endpoints.some(({ availability }) => availability.death !== undefined);
  for (const rule of LOAD_RULES) {
    const verdict = rule.find(system, resolveThresholds(rule, options));
    if (!verdict || verdict.evidence.length === 0) continue;
    return hasDeath && rule.severity !== 'problem' ? [] : createFindings(rule, system.server, verdict);
  }
  return [];
}

function isUnreliable({ availability }: RunEndpoint, isPartial: boolean): boolean {
  const { death, restarts, mixedResets } = availability;
  return (death !== undefined && isPartial) || restarts.length > 0 || mixedResets !== undefined;
}

function findIndependentFindings(run: Run, options: FindingOptions): Finding[] {
  const instances = findServerInstances(run);
  const servers = [...new Set(instances.map(({ server }) => server))];
  return FINDING_RULES.flatMap(rule => {
    const limits = resolveThresholds(rule, options);
    if (rule.about === 'load') return [];
    if (rule.about === 'run') {
      const evidence = rule.find(run, limits);
      return createFindings(rule, undefined, { evidence, ...(rule.advise && { advice: rule.advise(run) }) });
    }
    return servers.flatMap(server => {
      const ofServer = instances.filter(instance => instance.server === server);
      return createFindings(rule, server, { evidence: findEvidence(rule, ofServer, limits) });
    });
  });
}

function findEvidence(
  rule: ServerRule,
  instances: readonly ServerInstance[],
  limits: Thresholds,
): LoadVerdict['evidence'] {
  return instances.flatMap(instance => {
    const evidence = rule.find(instance, limits);
    return evidence ? [{ endpoint: instance.endpoint, ...evidence }] : [];
  });
}

function resolveThresholds({ id, thresholds }: FindingRule, options: FindingOptions): Thresholds {
  const defaults = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value]));
  return { ...defaults, ...options.thresholds?.[id] };
}

function createFindings(
  rule: FindingRule,
  server: string | undefined,
  { evidence, title = rule.title, advice }: LoadVerdict,
): Finding[] {
  if (evidence.length === 0) return [];
  const { id, severity, adviceFor } = rule;
  return [
    {
      id,
      severity,
      ...(server !== undefined && { server }),
      title,
      advice: advice ?? ((server !== undefined && adviceFor?.[server]) || rule.advice),
      evidence: [...evidence].sort((a, b) => b.magnitude - a.magnitude),
    },
  ];
}
