import { builtInServers, type ServerCatalog } from '@org/servers';
import { withDerivedMetrics } from '../derived/derivedFamilies.ts';
import type { Run } from '../run/run.ts';
import { listCaveats } from './caveats.ts';
import { listOptionDifferences, type OptionDifference } from './conditions/optionDifferences.ts';
import { measureLengths } from './conditions/runLengths.ts';
import { listSystemDifferences } from './conditions/systemDifferences.ts';
import { describeWindowDifference } from './conditions/windows.ts';
import { findLabelHint, type LabelHint, type OneSidedSeries } from './matching/labelHint.ts';
import { matchSeries } from './matching/matchSeries.ts';
import { fillMissingCounters } from './matching/missingCounters.ts';
import type { TestCounts } from './rows/families.ts';
import { type ComparisonRow, RowBuilder } from './rows/row.ts';
import { type CompareOptions, type CompareSettings, resolveSettings } from './settings.ts';
import { compareStat, DEFAULT_STATS } from './significance/statComparison.ts';

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
  /** The options, and then the properties of servers, that differ between the base and the new runs. */
  readonly differences: readonly OptionDifference[];
  /** The number of significance tests per family, for which p-values are corrected. */
  readonly tested: TestCounts;
  readonly options: CompareSettings;
}

/** Compares runs. Several runs on one side are repeats of the same benchmark. */
export function compareRuns(
  base: readonly Run[],
  others: readonly Run[],
  options: CompareOptions = {},
): Comparison {
  const settings = resolveSettings(options, combineCatalogs([...base, ...others]));
  const runs = [...base, ...others].map(withDerivedMetrics);
  const { matches, notes } = matchSeries(runs, options);
  const differences = [...listOptionDifferences(base, others), ...listSystemDifferences(base, others)];
  const builder = new RowBuilder(settings, {
    hasDifferentLoad: differences.some(({ topic }) => topic === 'load' || topic === 'command'),
  });
  const onlyBase: OneSidedSeries[] = [];
  const onlyNew: OneSidedSeries[] = [];
  const windowDifference = describeWindowDifference(base, others);
  const conditions = {
    ...measureLengths(base, others),
    haveDifferentWindows: windowDifference !== undefined,
  };
  for (const unfilled of matches) {
    if (options.metrics?.every(text => !unfilled.name.includes(text))) continue;
    const match = fillMissingCounters(unfilled, runs);
    const sides = [match.values.slice(0, base.length), match.values.slice(base.length)] as const;
    const { name, type, labels } = match;
    if (!sides[0].some(Boolean)) onlyNew.push({ name, type, labels });
    else if (!sides[1].some(Boolean)) onlyBase.push({ name, type, labels });
    else
      for (const stat of options.stats ?? DEFAULT_STATS[type]) {
        const comparison = compareStat(match, sides, stat, settings, conditions);
        if (comparison) builder.add(comparison);
      }
  }
  const rows = builder.build();
  return {
    base,
    new: others,
    rows,
    onlyBase,
    onlyNew,
    hint: findLabelHint(onlyBase, onlyNew, options.by !== undefined),
    notes: [
      ...(windowDifference === undefined
        ? []
        : [`${windowDifference}; rates and gauges of servers are not compared`]),
      ...notes,
      ...listCaveats(base, others, rows, settings),
    ],
    differences,
    tested: builder.countTests(),
    options: settings,
  };
}

/** Combines the servers of all runs. */
function combineCatalogs(runs: readonly Run[]): ServerCatalog {
  const added = runs
    .flatMap(({ servers }) => servers.servers)
    .filter(server => !builtInServers.servers.includes(server));
  return builtInServers.with(added);
}
