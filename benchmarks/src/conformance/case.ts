/** A line of the shared conformance data. The README of the data describes the fields. */
export interface Case extends Verdict {
  readonly id: string;
  readonly text: string;
  /** Only in classic cases: whether all reference parsers agree. */
  readonly agreed?: boolean;
  /** Only in classic cases: the verdict of a later version of prometheus_client, if it differs. */
  readonly latest?: Verdict;
}

/** The expected result of parsing a body: a rejection, or the parsed families. */
export interface Verdict {
  readonly should_parse: boolean;
  readonly families?: readonly ExpectedFamily[];
}

export interface ExpectedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly unit?: string;
  readonly samples: readonly ExpectedSample[];
}

export interface ExpectedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `null` for a native histogram. */
  readonly value: ExpectedNumber | null;
  readonly timestamp?: ExpectedNumber;
  readonly exemplar?: Omit<ExpectedSample, 'name'>;
  readonly native_histogram?: boolean;
}

/** A number, or one of the strings NaN, +Inf and -Inf. */
export type ExpectedNumber = number | string;

/** Reports whether a case is in the classic format: only classic cases contain the field `agreed`. */
export function isClassic(test: Case): boolean {
  return test.agreed !== undefined;
}
