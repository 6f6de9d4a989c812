/** A swept parameter. */
export interface SweptParameter {
  readonly name: string;
  /** Path of the parameter in `input_config`. */
  readonly path: string;
  readonly values: readonly number[];
}

/** A point of a sweep: one combination of parameter values. */
export interface Variation {
  readonly index: number;
  /** A label such as `concurrency_4` or `concurrency_4__request_rate_2`; `base` outside of sweeps. */
  readonly label: string;
  /** Values by name of the parameter. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Values by path in `input_config`. */
  readonly values: Readonly<Record<string, number>>;
}

/** The grid of a sweep: all combinations of values. The last parameter varies fastest. Outside of sweeps, only `base`. */
export interface Variations {
  readonly parameters: readonly SweptParameter[];
  readonly variations: readonly Variation[];
}
