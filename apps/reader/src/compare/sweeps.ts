import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  type OpenOptions,
  openCompleteRuns,
  type Run,
  type VariationMatches,
  type VariationPair,
} from '@org/analysis';
import { formatCount } from '@org/core';
import { toPrintable } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';
import {
  describeDifferences,
  describeMethod,
  formatHeadline,
  listReasons,
  selectRows,
} from './comparisonText.ts';
import { buildComparisonDocument } from './json.ts';
import { renderVariationMarkdown } from './markdown.ts';
import { renderTable } from './screen.ts';

/** The comparison of a variation, reduced to what is printed. The runs are released. */
export interface VariationResult {
  readonly pair: VariationPair;
  /** The comparison without its runs; undefined if a side has no complete run. */
  readonly comparison?: Comparison;
  /** Paths of incomplete runs. */
  readonly incomplete: readonly string[];
}

/** The comparison of two sweeps. */
export interface SweepComparison {
  readonly base: string;
  readonly new: string;
  readonly variations: readonly VariationResult[];
  readonly onlyBase: readonly string[];
  readonly onlyNew: readonly string[];
}

/** The maximum number of rows of a variation unless all rows are shown. */
const MAX_ROWS = 20;

/**
 * Compares each variation of two sweeps, as single or repeated runs. At most two variations are in memory.
 *
 * @param checkRuns is called with the runs of each variation before they are compared
 */
export async function compareVariations(
  { pairs, onlyBase, onlyNew }: VariationMatches,
  names: Pick<SweepComparison, 'base' | 'new'>,
  options: CompareOptions & OpenOptions,
  checkRuns: (runs: readonly Run[]) => void,
): Promise<SweepComparison> {
  const variations: VariationResult[] = [];
  for (const pair of pairs) {
    const base = await openCompleteRuns(pair.base, options);
    const others = await openCompleteRuns(pair.new, options);
    const incomplete = [...base.incomplete, ...others.incomplete];
    if (base.runs.length === 0 || others.runs.length === 0) {
      variations.push({ pair, incomplete });
      continue;
    }
    checkRuns([...base.runs, ...others.runs]);
    const comparison = compareRuns(base.runs, others.runs, options);
    variations.push({ pair, incomplete, comparison: releaseRuns(comparison) });
  }
  return { ...names, variations, onlyBase, onlyNew };
}

/** Keeps only the names, the endpoints and the times of the runs, whose series are the largest part of a comparison. */
function releaseRuns(comparison: Comparison): Comparison {
  const release = (runs: readonly Run[]): Run[] =>
    runs.map(({ name, endpoints, times }) => ({ name, endpoints, times }) as Run);
  return { ...comparison, base: release(comparison.base), new: release(comparison.new) };
}

/** Reports whether a metric of any variation got worse. */
export function hasWorseVariation({ variations }: SweepComparison): boolean {
  return variations.some(isWorse);
}

function isWorse({ comparison }: VariationResult): boolean {
  return comparison?.rows.some(({ verdict }) => verdict === 'worse') ?? false;
}

/** Summarizes the comparison, such as `2 of 3 variations got worse`. */
export function formatSweepHeadline({ variations }: SweepComparison): string {
  const total = formatCount(variations.length, 'variation');
  const worse = variations.filter(isWorse).length;
  const better = variations.filter(result => !isWorse(result) && hasVerdict(result, 'better')).length;
  const parts = [
    ...(worse > 0 ? [`${worse} of ${total} got worse`] : []),
    ...(better > 0 ? [`${better} of ${total} got better`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : `${total}: no metric got worse or better`;
}

function hasVerdict({ comparison }: VariationResult, expected: string): boolean {
  return comparison?.rows.some(({ verdict }) => verdict === expected) ?? false;
}

/** Formats the result of a variation, such as `concurrency_4: 2 worse (5 rows)`. */
export function formatVariationHeadline({ pair, comparison }: VariationResult): string {
  return `${pair.name}: ${comparison ? formatHeadline(comparison) : 'not compared, because a side has no complete run'}`;
}

/** Lists the options that differ between the sweeps, each once. */
export function listSweepDifferences({ variations }: SweepComparison): string[] {
  return countTexts(variations, describeDifferences);
}

/** Lists the variations without a counterpart, incomplete runs, and the notes of all variations, each once. */
export function listSweepNotes({ variations, onlyBase, onlyNew }: SweepComparison): string[] {
  const comparisons = variations.flatMap(({ comparison }) => comparison ?? []);
  const incomplete = variations.flatMap(result => result.incomplete);
  return [
    ...(onlyBase.length > 0 ? [`only in base: ${onlyBase.join(', ')}`] : []),
    ...(onlyNew.length > 0 ? [`only in new: ${onlyNew.join(', ')}`] : []),
    ...(incomplete.length > 0
      ? [`${formatCount(incomplete.length, 'incomplete run')} not compared: ${incomplete.join(', ')}`]
      : []),
    ...listReasons({ rows: comparisons.flatMap(({ rows }) => rows) }),
    ...countTexts(variations, ({ notes }) => notes),
    ...comparisons
      .slice(0, 1)
      .map(
        ({ options }) =>
          `${describeMethod({ options, tested: sumTests(comparisons) })}, within each variation`,
      ),
  ];
}

/** Lists the texts of all variations, each once, with the number of variations if not all have it. */
function countTexts(
  variations: readonly VariationResult[],
  list: (comparison: Comparison) => readonly string[],
): string[] {
  const counts = new Map<string, number>();
  for (const { comparison } of variations)
    for (const text of comparison ? list(comparison) : []) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) =>
    count === variations.length ? text : `${text} (${formatCount(count, 'variation')})`,
  );
}

function sumTests(comparisons: readonly Comparison[]): Comparison['tested'] {
  return comparisons.reduce(
    (sum, { tested }) => ({ key: sum.key + tested.key, other: sum.other + tested.other }),
    { key: 0, other: 0 },
  );
}

/** Renders the comparison of two sweeps for a terminal: a table of important and changed metrics per variation. */
export function renderSweepComparison(
  comparison: SweepComparison,
  showsAll: boolean,
  screen: Screen,
): string {
  const { paint, width } = screen;
  const wrap = (text: string): string[] => wrapText(toPrintable(text), width);
  const tables = comparison.variations.flatMap(result => {
    const { comparison: each } = result;
    const rows = each ? selectRows(each, showsAll, MAX_ROWS) : [];
    return [
      '',
      ...wrap(formatVariationHeadline(result)).map(paint.bold),
      ...(each && rows.length > 0 ? renderTable(rows, each.options, screen) : []),
    ];
  });
  return [
    ...wrap(`${formatSweepHeadline(comparison)}  ${comparison.base} → ${comparison.new}`).map(paint.bold),
    ...listSweepDifferences(comparison).flatMap(wrap).map(paint.yellow),
    ...tables,
    '',
    ...listSweepNotes(comparison)
      .flatMap(wrap)
      .map(line => paint.dim(line)),
  ].join('\n');
}

/** Renders the comparison of two sweeps as Markdown for a pull request. */
export function renderSweepMarkdown(comparison: SweepComparison, showsAll: boolean): string {
  return renderVariationMarkdown({
    title: formatSweepHeadline(comparison),
    base: comparison.base,
    new: comparison.new,
    variations: comparison.variations.map(result => ({
      title: formatVariationHeadline(result),
      rows: result.comparison ? selectRows(result.comparison, showsAll, MAX_ROWS) : [],
    })),
    notes: [...listSweepDifferences(comparison), ...listSweepNotes(comparison)],
  });
}

/** Builds the output of `compare --json` for two sweeps, with all rows. */
export function buildSweepDocument(comparison: SweepComparison): object {
  const { base, new: newSweep, variations, onlyBase, onlyNew } = comparison;
  return {
    base,
    new: newSweep,
    counts: {
      variations: variations.length,
      worse: variations.filter(isWorse).length,
      better: variations.filter(result => hasVerdict(result, 'better')).length,
      only_base: onlyBase.length,
      only_new: onlyNew.length,
    },
    variations: variations.map(({ pair, comparison: each, incomplete }) => ({
      name: pair.name,
      parameters: pair.parameters,
      incomplete,
      comparison: each ? buildComparisonDocument(each) : null,
    })),
    only_base: onlyBase,
    only_new: onlyNew,
  };
}
