/** How much a finding weighs: `problem` needs an answer, `warning` may, `note` helps to read the figures. */
export type FindingWeight = 'problem' | 'warning' | 'note';

/** What one rule has found in one place. */
export interface Evidence {
  /** Short name of the endpoint; absent when it is about the whole run. */
  readonly endpoint?: string;
  /** What was seen, with its figures, in a few words. Text of servers in it is as they said it. */
  readonly text: string;
  /** The figures behind it by name, in the units of the export. */
  readonly numbers: Readonly<Record<string, number>>;
  /** How bad it is, to tell the worst place; rules compare only their own. */
  readonly size: number;
}

/** One answer about a run: what was seen, where, and what may be done about it. */
export interface Finding {
  /** Id of its rule, as `--no-finding` takes it. */
  readonly id: string;
  readonly weight: FindingWeight;
  /** Kind of server that it is about; absent when it is about the run. */
  readonly server?: string;
  readonly title: string;
  readonly advice: string;
  /** The worst first; never empty. */
  readonly evidence: readonly Evidence[];
}
