/** One line of the shared conformance data (its README explains the fields). */
export interface Case extends Verdict {
  readonly id: string;
  readonly text: string;
  /** Classic cases only: whether all readers that have an opinion agree. Only then the case binds exactly. */
  readonly agreed?: boolean;
  /** Classic cases only: what a later prometheus_client decides or yields otherwise. */
  readonly latest?: Verdict;
}

/** What a reader makes of a body: a rejection, or families. */
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

/** A number, or one of the words NaN, +Inf and -Inf. */
export type ExpectedNumber = number | string;

/** The two formats' cases are told apart by their fields: only classic ones say whether readers agree. */
export function isClassic(test: Case): boolean {
  return test.agreed !== undefined;
}
