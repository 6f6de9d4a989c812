/** The severity of a finding: a `problem` needs action, a `warning` may, a `note` helps to interpret the numbers. */
export type FindingSeverity = 'problem' | 'warning' | 'note';

/** An observation of a rule at one endpoint, or in the run. */
export interface Evidence {
  /** Short name of the endpoint; absent if the evidence concerns the whole run. */
  readonly endpoint?: string;
  /** The observation, with its values, in a few words. Text from servers is not escaped. */
  readonly text: string;
  /** The values by name, in the units of the export. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The severity; comparable only within a rule. */
  readonly magnitude: number;
}

/** A finding about a run: what was observed, where, and what to do about it. */
export interface Finding {
  /** ID of the rule, as in `--no-finding`. */
  readonly id: string;
  readonly severity: FindingSeverity;
  /** Name of the server; absent if the finding concerns the run. */
  readonly server?: string;
  readonly title: string;
  readonly advice: string;
  /** The worst first; never empty. */
  readonly evidence: readonly Evidence[];
}
