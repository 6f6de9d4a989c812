import type { Run } from '../run/run.ts';
import type { ServerInstance } from './serverInstance.ts';

/** The severity of a finding: a `problem` requires action, a `warning` may require it, a `note` helps to interpret figures. */
export type FindingSeverity = 'problem' | 'warning' | 'note';

/** An observation about one endpoint, or about the run. */
export interface Evidence {
  /** Short name of the endpoint; absent if the evidence concerns the whole run. */
  readonly endpoint?: string;
  /** The observation and its values, in a few words. Text from servers is not escaped. */
  readonly text: string;
  /** The values by name, in the units of the export. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The severity of the observation. Comparable only within a rule. */
  readonly magnitude: number;
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
  readonly value: number;
  readonly meaning: string;
}

/** The thresholds in effect, by name. */
export type Thresholds<Name extends string = string> = Readonly<Record<Name, number>>;

/** The evidence of a rule for one endpoint. */
export type FoundEvidence = Omit<Evidence, 'endpoint'>;

/** The texts and thresholds of a rule. */
interface RuleText<Name extends string = string> {
  readonly id: string;
  readonly severity: FindingSeverity;
  readonly title: string;
  readonly advice: string;
  /** Advice by name of server, if it differs. */
  readonly adviceFor?: Readonly<Record<string, string>>;
  readonly thresholds: Readonly<Record<Name, Threshold>>;
}

/** A rule about one kind of server on one endpoint. */
export interface ServerRule extends RuleText {
  readonly about: 'server';
  readonly find: (instance: ServerInstance, limits: Thresholds) => FoundEvidence | undefined;
}

/** A rule about the run, or its endpoints. */
export interface RunRule extends RuleText {
  readonly about: 'run';
  readonly find: (run: Run, limits: Thresholds) => readonly Evidence[];
}

export type FindingRule = ServerRule | RunRule;

/** Creates a rule about a server. `find` receives the thresholds named in `text`. */
export function createServerRule<Name extends string>(
  text: RuleText<Name>,
  find: (instance: ServerInstance, limits: Thresholds<Name>) => FoundEvidence | undefined,
): ServerRule {
  // `findFindings` passes all thresholds of a rule to it.
  return { about: 'server', ...text, find: find as ServerRule['find'] };
}

/** Creates a rule about a run. `find` receives the thresholds named in `text`. */
export function createRunRule<Name extends string>(
  text: RuleText<Name>,
  find: (run: Run, limits: Thresholds<Name>) => readonly Evidence[],
): RunRule {
  return { about: 'run', ...text, find: find as RunRule['find'] };
}
