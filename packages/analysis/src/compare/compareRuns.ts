import type { Run } from '../run/run.ts';
import { listCaveats } from './caveats.ts';
import { findLabelHint, type LabelHint, type OneSidedSeries } from './labelHint.ts';
import { matchSeries } from './matchSeries.ts';
import { buildRows, type ComparisonRow } from './row.ts';
import { measureLengths } from './runLengths.ts';
import { type CompareOptions, type CompareSettings, resolveSettings } from './settings.ts';
import { compareStat, DEFAULT_STATS, isTested, type StatComparison } from './statComparison.ts';

/** The result of comparing runs. */
export interface Comparison {
  readonly base: readonly Run[];
  readonly new: readonly Run[];
  readonly rows: readonly ComparisonRow[];
  readonly onlyBase: readonly OneSidedSeries[];
  readonly onlyNew: readonly OneSidedSeries[];
  /** The labels that prevent most one-sided series from matching; undefined if no such labels were found. */
  readonly hint: LabelHint | undefined;
  readonly notes: readonly string[];
  /** The number of significance tests, for which p-values are corrected. */
  readonly tested: number;
  readonly options: CompareSettings;
}

/** Compares runs. Several runs on one side are repeats of the same benchmark. */
export function compareRuns(
  base: readonly Run[],
  others: readonly Run[],
  options: CompareOptions = {},
): Comparison {
  const settings = resolveSettings(options);
  const { matches, notes } = matchSeries([...base, ...others], options);
  const selected = matches.filter(({ name }) => options.metrics?.some(text => name.includes(text)) ?? true);
  const comparisons: StatComparison[] = [];
  const onlyBase: OneSidedSeries[] = [];
  const onlyNew: OneSidedSeries[] = [];
  const lengths = measureLengths(base, others);
  for (const match of selected) {
    const sides = [match.values.slice(0, base.length), match.values.slice(base.length)] as const;
    const { name, type, labels } = match;
    if (!sides[0].some(Boolean)) onlyNew.push({ name, type, labels });
    else if (!sides[1].some(Boolean)) onlyBase.push({ name, type, labels });
    else
      for (const stat of options.stats ?? DEFAULT_STATS[type]) {
        const comparison = compareStat(match, sides, stat, settings, lengths);
        if (comparison) comparisons.push(comparison);
      }
  }
  return {
    base,
    new: others,
    rows: buildRows(comparisons, settings),
    onlyBase,
    onlyNew,
    hint: findLabelHint(onlyBase, onlyNew, options.by !== undefined),
    notes: [...notes, ...listCaveats(base, others, comparisons, settings)],
    tested: comparisons.filter(isTested).length,
    options: settings,
  };
}
