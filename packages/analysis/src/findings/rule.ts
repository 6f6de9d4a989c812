import type { Run } from '../run/run.ts';
import type { Evidence, FindingWeight } from './finding.ts';
import type { ServerInstance } from './subject.ts';

/** A figure that decides; `--threshold ID.NAME=VALUE` changes it. */
export interface Threshold {
  readonly value: number;
  readonly meaning: string;
}

/** The thresholds that hold, by name. */
export type Thresholds<Name extends string = string> = Readonly<Record<Name, number>>;

/** What a rule on one endpoint has found there. */
export type Found = Omit<Evidence, 'endpoint'>;

/** What a rule says, and from which figures on. */
interface RuleText<Name extends string = string> {
  readonly id: string;
  readonly weight: FindingWeight;
  readonly title: string;
  readonly advice: string;
  /** Advice for one kind of server by its name, where it differs. */
  readonly adviceFor?: Readonly<Record<string, string>>;
  readonly thresholds: Readonly<Record<Name, Threshold>>;
}

/** A rule about one kind of server on one endpoint. */
export interface ServerRule extends RuleText {
  readonly about: 'server';
  readonly find: (subject: ServerInstance, at: Thresholds) => Found | undefined;
}

/** A rule about the run as a whole, or its endpoints. */
export interface RunRule extends RuleText {
  readonly about: 'run';
  readonly find: (run: Run, at: Thresholds) => readonly Evidence[];
}

export type FindingRule = ServerRule | RunRule;

/** Makes a rule about a server; `find` gets the thresholds that `text` names. */
export function serverRule<Name extends string>(
  text: RuleText<Name>,
  find: (subject: ServerInstance, at: Thresholds<Name>) => Found | undefined,
): ServerRule {
  // `findings` gives each rule all of its own thresholds.
  return { about: 'server', ...text, find: find as ServerRule['find'] };
}

/** Makes a rule about a run; `find` gets the thresholds that `text` names. */
export function runRule<Name extends string>(
  text: RuleText<Name>,
  find: (run: Run, at: Thresholds<Name>) => readonly Evidence[],
): RunRule {
  return { about: 'run', ...text, find: find as RunRule['find'] };
}
