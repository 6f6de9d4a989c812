import type { Run } from '../run/run.ts';
import { collectCaveats } from './caveats.ts';
import { compareStat, isTested, type StatComparison } from './draft.ts';
import { findLabelHint, type LabelHint } from './labelHint.ts';
import { matchSeries } from './match.ts';
import type { OneSidedSeries } from './missing.ts';
import { buildRows, type ComparisonRow } from './row.ts';
import { type CompareOptions, type CompareSettings, resolveSettings } from './settings.ts';
import { DEFAULT_STATS } from './side.ts';

export interface Comparison {
  readonly base: readonly Run[];
  readonly new: readonly Run[];
  readonly rows: readonly ComparisonRow[];
  readonly onlyBase: readonly OneSidedSeries[];
  readonly onlyNew: readonly OneSidedSeries[];
  /** Labels without which most of those series would meet. */
  readonly hint: LabelHint | undefined;
  readonly notes: readonly string[];
  /** How many comparisons were tested, for which p was corrected. */
  readonly tested: number;
  readonly options: CompareSettings;
}

/** What changed from the base runs to the new ones. Several runs of a side are repetitions of one and the same. */
export function compareRuns(
  base: readonly Run[],
  others: readonly Run[],
  options: CompareOptions = {},
): Comparison {
  const settings = resolveSettings(options);
  const { matches, notes } = matchSeries([...base, ...others], options);
  const wanted = matches.filter(({ name }) => options.metrics?.some(part => name.includes(part)) ?? true);
  const drafts: StatComparison[] = [];
  const onlyBase: OneSidedSeries[] = [];
  const onlyNew: OneSidedSeries[] = [];
  for (const one of wanted) {
    const sides = [one.figures.slice(0, base.length), one.figures.slice(base.length)] as const;
    const { name, type, labels } = one;
    if (!sides[0].some(Boolean)) onlyNew.push({ name, type, labels });
    else if (!sides[1].some(Boolean)) onlyBase.push({ name, type, labels });
    else
      for (const stat of options.stats ?? DEFAULT_STATS[type]) {
        const draft = compareStat(one, sides, stat, settings);
        if (draft) drafts.push(draft);
      }
  }
  return {
    base,
    new: others,
    rows: buildRows(drafts, settings),
    onlyBase,
    onlyNew,
    hint: findLabelHint(onlyBase, onlyNew, options.by !== undefined),
    notes: [...notes, ...collectCaveats(base, others, drafts, settings)],
    tested: drafts.filter(isTested).length,
    options: settings,
  };
}
