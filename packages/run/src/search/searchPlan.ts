import type { Dimension, Direction } from '@org/search';

/** A searched parameter. */
export interface SearchDimension extends Dimension {
  /** Name of the parameter, such as `concurrency`. */
  readonly name: string;
  /** Name of the parameter in labels of variations. */
  readonly label: string;
  /** Path of the parameter in `input_config`. */
  readonly path: string;
}

/** A limit of a search, as a rule of `servelens read check`. */
export interface SearchLimit {
  readonly rule: string;
  /** The limit in AIPerf's form; absent if it has none. */
  readonly filter?: SlaFilter;
}

/** A limit in the form of AIPerf: the statistic of a client metric, compared with a threshold in its unit. */
export interface SlaFilter {
  readonly metric_tag: string;
  readonly stat: string;
  readonly op: 'lt' | 'le' | 'gt' | 'ge';
  readonly threshold: number;
}

/** A named group of limits with its own boundary. */
export interface SearchTier {
  readonly label: string;
  /** The limits that only this tier has. */
  readonly own: readonly SearchLimit[];
  /** All limits of the tier, with those of the whole search. */
  readonly limits: readonly SearchLimit[];
}

/** A metric to optimize. */
export interface SearchObjective {
  readonly metric: string;
  readonly stat: string;
  readonly direction: Direction;
}

/** A search for the best parameters within limits. It is journaled, so it must not contain secrets. */
export interface SearchPlan {
  readonly recipe?: string;
  readonly dimensions: readonly SearchDimension[];
  readonly limits: readonly SearchLimit[];
  /** Searches a boundary for each of these groups of limits; `limits` are then the limits of all of them. */
  readonly tiers?: readonly SearchTier[];
  readonly objective?: SearchObjective;
  /** `isotonic` searches the boundary of one parameter; `latin_hypercube` searches any number of parameters. */
  readonly planner: 'isotonic' | 'latin_hypercube';
  /** Distance of the values on both sides of the boundary at which the search ends, as a fraction of the upper value. */
  readonly precision: number;
  /** Number of runs of each value on both sides of the boundary. */
  readonly replicates: number;
  readonly maxIterations: number;
  readonly initialPoints: number;
  /** Seed of the design. */
  readonly seed: number;
}
