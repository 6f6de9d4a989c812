/** One parameter and its values. */
export interface SweptParameter {
  readonly name: string;
  readonly path: string;
  readonly option: string;
  readonly values: readonly number[];
}

/** One combination of parameters. */
export interface Variation {
  readonly index: number;
  /** `concurrency_4`, or `concurrency_4__request_rate_2`; `base` outside of sweeps (seed 004). */
  readonly label: string;
  /** By name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** By path in `input_config`. */
  readonly values: Readonly<Record<string, number>>;
  /** The options of one run. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A sweep: every combination of the lists (grid), the last list changing first. Without lists it is `base` alone. */
export interface Variations {
  readonly parameters: readonly SweptParameter[];
  readonly variations: readonly Variation[];
}
