import type { ColorName } from '../../svg/palette.ts';
import type { Values } from '../../svg/timeChartModel.ts';
import type { Timeline } from '../document.ts';
import type { Ladder } from '../model/distributions.ts';
import type { Causes } from './model/causes.ts';
import type { EffectGroup } from './model/effects.ts';
import type { RepeatRow } from './model/repeats.ts';
import type { Scope } from './model/scope.ts';

/** The data of the page of a comparison. Text from servers is not escaped: whatever writes markup escapes it. */
export interface ComparisonDocument {
  readonly kind: 'comparison';
  readonly title: string;
  /** A short form of the scope, for the header of printed pages. */
  readonly subtitle: string;
  readonly scope: Scope;
  /** The compared benchmarks; the first one is the baseline. */
  readonly sides: readonly SideRow[];
  readonly comparisons: readonly ComparedSide[];
  readonly strips?: Strips;
  /** With more than four benchmarks: charts of each of them with the baseline. */
  readonly multiples: readonly MultipleRow[];
  readonly ladders: readonly Ladder[];
  readonly repeats: readonly RepeatRow[];
  readonly notes: readonly string[];
}

/** A benchmark: a run, or repeated runs. */
export interface SideRow {
  readonly name: string;
  readonly color: ColorName;
  readonly runs: number;
  /** The load and the servers in words. */
  readonly description: string;
}

/** The comparison of one benchmark with the baseline. */
export interface ComparedSide {
  readonly name: string;
  readonly color: ColorName;
  /** The result in words, such as `2 worse and 1 better`. */
  readonly headline: string;
  /** The main changes in words, with their intervals: one for each cause. */
  readonly strongest: readonly string[];
  /** The settings that differ. */
  readonly differences: readonly string[];
  readonly effects: readonly EffectGroup[];
  readonly minChange: number;
  readonly causes: Causes;
  /** How differences were tested, and the correction for multiple tests. */
  readonly method: string;
}

/** The benchmarks over time, in common charts. */
export type Strips = Pick<Timeline, 'range' | 'start' | 'marks' | 'meanings' | 'columns' | 'more'> & {
  /** Explain the lines, and name runs without data. */
  readonly notes: readonly string[];
};

/** Small charts of one quantity: one for each benchmark, with the baseline in grey. */
export interface MultipleRow {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly top: number;
  readonly baseline: Values;
  readonly charts: readonly { readonly name: string; readonly color: ColorName; readonly values: Values }[];
}
