import type { Run } from '../run/run.ts';
import type { ServerInstance } from '../servers/serverInstance.ts';
import type { ServingSystem } from '../servers/servingSystem.ts';

/**
 * The severity of a finding: a `problem` requires action, a `warning` may require it, a `note` helps to
 * interpret results.
 */
export type FindingSeverity = 'problem' | 'warning' | 'note';

/** An observation about one endpoint, or about the run. */
export interface Evidence {
  /** Short name of the endpoint; absent if the evidence concerns the whole run. */
  readonly endpoint?: string;
  /** A short description of the observation, with values. Text from servers is not escaped. */
  readonly text: string;
  /** The values by name, in the units of the export. */
  readonly numbers: Readonly<Record<string, number>>;
  /**
   * The severity as a number, for sorting: larger is more severe. Comparable only between observations of one
   * rule.
   */
  readonly magnitude: number;
  /** The part of the run that shows the observation, for charts; absent if it is the whole run. */
  readonly range?: TimeRange;
}

/** A part of a run, in nanoseconds since 1970. */
export interface TimeRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** A finding about a run: a problem or observation, its evidence, and advice. */
export interface Finding {
  /** ID of the rule, as in `--no-finding`. */
  readonly id: string;
  readonly severity: FindingSeverity;
  /** Name of the server; absent if the finding concerns the run. */
  readonly server?: string;
  readonly title: string;
  readonly advice: string;
  /** Never empty; the most severe observation comes first. */
  readonly evidence: readonly Evidence[];
}

/** A threshold of a rule; `--threshold ID.NAME=NUMBER` changes it. */
export interface Threshold {
  /** The default value. */
  readonly value: number;
  readonly meaning: string;
}

/** The thresholds in effect, by name. */
export type Thresholds<Name extends string = string> = Readonly<Record<Name, number>>;

/** The evidence of a rule for one endpoint. */
export type FoundEvidence = Omit<Evidence, 'endpoint'>;

/** The ID, texts and thresholds of a rule. */
interface RuleText<Name extends string = string> {
  readonly id: string;
  readonly severity: FindingSeverity;
  readonly title: string;
  readonly advice: string;
  /** Server-specific advice by server name, used instead of `advice`. */
  readonly adviceFor?: Readonly<Record<string, string>>;
  readonly thresholds: Readonly<Record<Name, Threshold>>;
}

/** A rule that is applied to each kind of server on each endpoint. */
export interface ServerRule extends RuleText {
  readonly about: 'server';
  readonly find: (instance: ServerInstance, limits: Thresholds) => FoundEvidence | undefined;
}

/** A rule that is applied once to the run, including all of its endpoints. */
export interface RunRule extends RuleText {
  readonly about: 'run';
  /** Returns advice about this run, which replaces `advice`. */
  readonly advise?: (run: Run) => string;
  readonly find: (run: Run, limits: Thresholds) => readonly Evidence[];
}

/** The result of a load rule. `title` and `advice` replace the texts of the rule. */
export interface LoadVerdict {
  readonly evidence: readonly Evidence[];
  readonly title?: string;
  readonly advice?: string;
}

/**
 * A rule on the load of all servers. Load rules exclude each other: only the first one that finds evidence is
 * reported. They are skipped if a server died or restarted.
 */
export interface LoadRule extends RuleText {
  readonly about: 'load';
  readonly find: (system: ServingSystem, limits: Thresholds) => LoadVerdict | undefined;
}

/** A rule that produces findings. */
export type FindingRule = ServerRule | RunRule | LoadRule;

/** Creates a rule about a server. `find` receives the thresholds named in `text`. */
export function createServerRule<Name extends string>(
  text: RuleText<Name>,
  find: (instance: ServerInstance, limits: Thresholds<Name>) => FoundEvidence | undefined,
): ServerRule {
  // The cast is safe, because `findFindings` passes every threshold of the rule.
  return { about: 'server', ...text, find: find as ServerRule['find'] };
}

/**
 * Creates a rule about a run. `find` receives the thresholds named in `text`. `advise` returns advice that depends on
 * the run.
 */
export function createRunRule<Name extends string>(
  text: RuleText<Name>,
  find: (run: Run, limits: Thresholds<Name>) => readonly Evidence[],
  advise?: (run: Run) => string,
): RunRule {
  return { about: 'run', ...text, find: find as RunRule['find'], ...(advise && { advise }) };
}

/** Creates a rule about the load. `find` receives the thresholds named in `text`. */
export function createLoadRule<Name extends string>(
  text: RuleText<Name>,
  find: (system: ServingSystem, limits: Thresholds<Name>) => LoadVerdict | undefined,
): LoadRule {
  return { about: 'load', ...text, find: find as LoadRule['find'] };
}
