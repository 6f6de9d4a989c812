import type { Run } from '../run/run.ts';
import { caveats } from './caveats.ts';
import { type Draft, draftOf, isTested } from './draft.ts';
import { type LabelHint, labelHint } from './labelHint.ts';
import { match } from './match.ts';
import type { Missing } from './missing.ts';
import { type Row, rowsOf } from './row.ts';
import { type CompareOptions, type Settings, settingsOf } from './settings.ts';
import { DEFAULT_STATS } from './side.ts';

export interface Comparison {
  readonly base: readonly Run[];
  readonly new: readonly Run[];
  readonly rows: readonly Row[];
  readonly onlyBase: readonly Missing[];
  readonly onlyNew: readonly Missing[];
  /** Labels without which most of those series would meet. */
  readonly hint: LabelHint | undefined;
  readonly notes: readonly string[];
  /** How many comparisons were tested, for which p was corrected. */
  readonly tested: number;
  readonly options: Settings;
}

/** What changed from the base runs to the new ones. Several runs of a side are repetitions of one and the same. */
export function compare(
  base: readonly Run[],
  others: readonly Run[],
  options: CompareOptions = {},
): Comparison {
  const settings = settingsOf(options);
  const { matches, notes } = match([...base, ...others], options);
  const wanted = matches.filter(({ name }) => options.metrics?.some(part => name.includes(part)) ?? true);
  const drafts: Draft[] = [];
  const onlyBase: Missing[] = [];
  const onlyNew: Missing[] = [];
  for (const one of wanted) {
    const sides = [one.figures.slice(0, base.length), one.figures.slice(base.length)] as const;
    const { name, type, labels } = one;
    if (!sides[0].some(Boolean)) onlyNew.push({ name, type, labels });
    else if (!sides[1].some(Boolean)) onlyBase.push({ name, type, labels });
    else
      for (const stat of options.stats ?? DEFAULT_STATS[type]) {
        const draft = draftOf(one, sides, stat, settings);
        if (draft) drafts.push(draft);
      }
  }
  return {
    base,
    new: others,
    rows: rowsOf(drafts, settings),
    onlyBase,
    onlyNew,
    hint: labelHint(onlyBase, onlyNew, options.by !== undefined),
    notes: [...notes, ...caveats(base, others, drafts, settings)],
    tested: drafts.filter(isTested).length,
    options: settings,
  };
}
