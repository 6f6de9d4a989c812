import type { Run } from '../run/run.ts';
import type { SeriesType } from '../run/series.ts';
import { SERVER_KINDS } from '../servers.ts';
import { type Direction, directionOf } from './direction.ts';
import { DEFAULT_STATS, type Side, sideOf } from './estimate.ts';
import { type Match, type MatchOptions, match } from './match.ts';
import type { Estimate } from './sample.ts';
import { type Correction, corrected, mannWhitney, type TestResult, welch } from './tests.ts';

export interface CompareOptions extends MatchOptions {
  /** Statistics to compare, in place of those that suit each type. */
  readonly stats?: readonly string[];
  /** Only metrics whose name one of these is a part of. */
  readonly metrics?: readonly string[];
  readonly test?: 'welch' | 'mann-whitney';
  readonly correction?: Correction;
  /** Chance of a false finding that is accepted; 0.05. */
  readonly alpha?: number;
  /** Changes below this share are none, however certain; 0.01. */
  readonly minChange?: number;
}

/**
 * `worse`, `better`: a change that noise does not explain, of something that has a direction; `changed`: of something that
 * has none. `same`: equal, or certain to be a small change. `no evidence`: noise may explain it. `untested`: nothing is
 * known of the noise.
 */
export type Verdict = 'worse' | 'better' | 'changed' | 'same' | 'no evidence' | 'untested';

/** One statistic of one series, on both sides. */
export interface Row {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Those of them that tell it apart from the other series of its metric. */
  readonly telling: Readonly<Record<string, string>>;
  readonly stat: string;
  readonly better: Direction;
  readonly verdict: Verdict;
  readonly base: number;
  readonly new: number;
  /** Share of the base; null when that is 0. */
  readonly change: number | null;
  /** Noise floor: the change is known to this share of the base (95 %, not corrected); null when it cannot be told. */
  readonly noise: number | null;
  /** Corrected for the number of comparisons. */
  readonly p: number | null;
  readonly effect: number | null;
  /** Where noise was seen, on each side. */
  readonly basis: readonly [Side['estimate']['basis'], Side['estimate']['basis']];
  readonly runs: readonly [readonly number[], readonly number[]];
  /** How many series were rolled up, at most. */
  readonly seriesCount: number;
  /** Whether it is one of the key metrics of a server. */
  readonly isKey: boolean;
}

/** A series that only one side has. */
export interface Missing {
  readonly name: string;
  readonly type: SeriesType;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Comparison {
  readonly base: readonly Run[];
  readonly new: readonly Run[];
  readonly rows: readonly Row[];
  readonly onlyBase: readonly Missing[];
  readonly onlyNew: readonly Missing[];
  readonly notes: readonly string[];
  /** How many comparisons were tested, for which p was corrected. */
  readonly tested: number;
  readonly options: {
    readonly test: 'welch' | 'mann-whitney';
    readonly correction: Correction;
    readonly alpha: number;
    readonly minChange: number;
  };
}

type Settings = Comparison['options'];

/** What changed from the base runs to the new ones. Several runs of a side are repetitions of one and the same. */
export function compare(
  base: readonly Run[],
  others: readonly Run[],
  options: CompareOptions = {},
): Comparison {
  const settings: Settings = {
    test: options.test ?? 'welch',
    correction: options.correction ?? 'bh',
    alpha: options.alpha ?? 0.05,
    minChange: options.minChange ?? 0.01,
  };
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
    notes: [...notes, ...caveats(base, others, drafts, settings)],
    tested: drafts.filter(isTested).length,
    options: settings,
  };
}

interface Draft {
  readonly match: Match;
  readonly stat: string;
  readonly base: Side;
  readonly other: Side;
  readonly result: TestResult;
}

/** Undefined for a statistic that one side does not have. */
function draftOf(
  one: Match,
  [ofBase, ofNew]: readonly [Match['figures'], Match['figures']],
  stat: string,
  { test }: Settings,
): Draft | undefined {
  const base = sideOf(ofBase, stat, one.type);
  const other = base && sideOf(ofNew, stat, one.type);
  return other && { match: one, stat, base, other, result: testOf(base, other, test) };
}

/** Ranks need several runs of each side; timeslices are no independent values to be ranked. */
function testOf(base: Side, other: Side, test: Settings['test']): TestResult {
  const result = welch(base.estimate, other.estimate);
  if (test === 'welch' || base.runs.length < 2 || other.runs.length < 2) return result;
  return { ...mannWhitney(base.runs, other.runs), margin: result.margin };
}

/** What was equal all the time needs no test, and makes none of the others less certain. */
function isTested({ result, base, other }: Draft): boolean {
  return result.p !== null && !isConstant(base, other);
}

function isConstant(base: Side, other: Side): boolean {
  return (
    base.estimate.error === 0 && other.estimate.error === 0 && base.estimate.mean === other.estimate.mean
  );
}

function rowsOf(drafts: readonly Draft[], settings: Settings): Row[] {
  const tested = drafts.filter(isTested);
  const adjusted = corrected(
    tested.map(({ result }) => result.p!),
    settings.correction,
  );
  const values = new Map(tested.map((draft, i) => [draft, adjusted[i]!]));
  const telling = tellingLabels(drafts.map(({ match: one }) => one));
  return drafts
    .map(draft => rowOf(draft, values.get(draft) ?? null, telling(draft.match), settings))
    .sort(byWeight);
}

/** The labels of a match whose values are not the same in all series of its metric. */
function tellingLabels(matches: readonly Match[]): (one: Match) => Row['telling'] {
  const metrics = new Map<string, { series: number; readonly labels: Map<string, SeenLabel> }>();
  for (const { name, labels } of new Set(matches)) {
    const metric = metrics.get(name) ?? { series: 0, labels: new Map<string, SeenLabel>() };
    if (metric.series++ === 0) metrics.set(name, metric);
    for (const label of Object.keys(labels)) {
      const seen = metric.labels.get(label);
      if (!seen) metric.labels.set(label, { value: labels[label]!, differs: false, series: 1 });
      else {
        seen.differs ||= seen.value !== labels[label];
        seen.series++;
      }
    }
  }
  const tells = ({ name }: Match, label: string): boolean => {
    const { series, labels } = metrics.get(name)!;
    const seen = labels.get(label)!;
    return seen.differs || seen.series < series;
  };
  return one => {
    const telling = Object.keys(one.labels).filter(label => tells(one, label));
    return Object.fromEntries(telling.map(label => [label, one.labels[label]!]));
  };
}

/** A label of a metric: its first value, whether there are others, and how many series have it. */
interface SeenLabel {
  readonly value: string;
  differs: boolean;
  series: number;
}

const KEY_METRICS: ReadonlySet<string> = new Set([
  ...SERVER_KINDS.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
  ...['request_latency', 'time_to_first_token', 'inter_token_latency'],
  ...['request_throughput', 'output_token_throughput'],
]);

function rowOf(
  { match: one, stat, base, other, result }: Draft,
  p: number | null,
  telling: Row['telling'],
  settings: Settings,
): Row {
  const from = base.estimate.mean;
  const to = other.estimate.mean;
  const change = from === 0 ? (to === 0 ? 0 : null) : (to - from) / Math.abs(from);
  const better = directionOf(one.name, one.type);
  return {
    name: one.name,
    type: one.type,
    unit: one.unit,
    labels: one.labels,
    telling,
    stat,
    better,
    verdict: verdictOf(
      { p, change, difference: to - from, isConstant: isConstant(base, other), better },
      settings,
    ),
    base: from,
    new: to,
    change,
    noise: result.margin === null || from === 0 ? null : result.margin / Math.abs(from),
    p,
    effect: result.effect,
    basis: [base.estimate.basis, other.estimate.basis],
    runs: [base.runs, other.runs],
    seriesCount: one.figures.reduce((most, figures) => Math.max(most, figures?.seriesCount ?? 0), 0),
    isKey: KEY_METRICS.has(one.name),
  };
}

interface Judged {
  readonly p: number | null;
  readonly change: number | null;
  readonly difference: number;
  readonly isConstant: boolean;
  readonly better: Direction;
}

function verdictOf(
  { p, change, difference, isConstant: equal, better }: Judged,
  settings: Settings,
): Verdict {
  if (equal) return 'same';
  if (p === null) return 'untested';
  if (p > settings.alpha) return 'no evidence';
  if (change !== null && Math.abs(change) < settings.minChange) return 'same';
  if (better === 'neither') return 'changed';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}

const ORDER: Readonly<Record<Verdict, number>> = {
  worse: 0,
  better: 1,
  changed: 2,
  untested: 3,
  'no evidence': 4,
  same: 5,
};

/** What matters first: what got worse, key metrics before others, large changes before small ones. */
function byWeight(a: Row, b: Row): number {
  return (
    ORDER[a.verdict] - ORDER[b.verdict] ||
    Number(b.isKey) - Number(a.isKey) ||
    sizeOf(b) - sizeOf(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** From nothing to something is the largest of changes. */
function sizeOf({ change }: Row): number {
  return change === null ? Number.MAX_VALUE : Math.abs(change);
}

/** What a reader has to know of how far these figures can be trusted. */
function caveats(
  base: readonly Run[],
  others: readonly Run[],
  drafts: readonly Draft[],
  settings: Settings,
): string[] {
  const notes: string[] = [];
  const least = Math.min(base.length, others.length);
  const bases = new Set<Estimate['basis']>();
  for (const { base: from, other } of drafts) bases.add(from.estimate.basis).add(other.estimate.basis);
  if (bases.has('slices'))
    notes.push(
      'noise is that between timeslices of a run, as alike as they are; what differs from one run to the next is not in it: repeat runs to see that',
    );
  if (bases.has('none') && !bases.has('slices') && !bases.has('runs'))
    notes.push('neither timeslices nor repeated runs: nothing is known of the noise, so nothing was tested');
  if (settings.test === 'mann-whitney' && least < 2)
    notes.push('Mann-Whitney needs several runs on each side; Welch was used');
  if (settings.test === 'mann-whitney' && least >= 2 && leastP(base.length, others.length) > settings.alpha)
    notes.push(
      `${base.length} against ${others.length} runs: ranks can never say more than p = ${leastP(base.length, others.length).toFixed(2)}; repeat runs or use Welch`,
    );
  for (const run of [...base, ...others])
    if (run.wasCancelled === true) notes.push(`${run.name} was interrupted`);
  const seconds = [...base, ...others].flatMap(({ times }) => times.profilingSeconds ?? times.seconds ?? []);
  if (seconds.length > 1 && Math.max(...seconds) > 1.2 * Math.min(...seconds))
    notes.push('runs are of different length: compare rates and means, not totals');
  return notes;
}

/** The smallest p that ranks of so many values can give. */
function leastP(n: number, m: number): number {
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements = (arrangements * (m + i)) / i;
  return Math.min(1, 2 / arrangements);
}
