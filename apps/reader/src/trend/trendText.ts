import type {
  ChangeVerdict,
  FigureName,
  Level,
  MetricChange,
  MetricTrend,
  RunTrend,
  SettingChange,
  TrendGroup,
  TrendRun,
} from '@org/analysis';
import { formatCount, formatNumber, formatPercent, formatValue } from '@org/core';
import { nameQuantity } from '../quantityNames.ts';

/** The name of the method in all outputs. */
export const METHOD_NAME = 'E-divisive means';

/** The changes of several metrics at the same run. */
export interface ChangeEvent {
  /** The indices of the last run before and the first run after the change. */
  readonly before: number;
  readonly after: number;
  readonly verdict: ChangeVerdict;
  readonly changes: readonly { readonly metric: MetricTrend; readonly change: MetricChange }[];
  /** The settings that changed at the same runs. */
  readonly settings: readonly SettingChange[];
}

/** The mark of each verdict on screens, so that its color is not needed. */
export const MARKS: Readonly<Record<ChangeVerdict, string>> = { worse: '✗', better: '✓', changed: '~' };

const ORDER: Readonly<Record<ChangeVerdict, number>> = { worse: 0, better: 1, changed: 2 };

type FoundChange = ChangeEvent['changes'][number];

/**
 * Lists the changes of a group, the most recent first, and within an event, worse ones first. Changes of different metrics
 * whose positions are at most one run apart are one event, because noise shifts positions.
 */
export function listEvents({ metrics, settingChanges }: TrendGroup): ChangeEvent[] {
  const found = metrics
    .flatMap(metric => metric.changes.map((change): FoundChange => ({ metric, change })))
    .sort((a, b) => a.change.after - b.change.after);
  const events: FoundChange[][] = [];
  for (const entry of found) {
    const event = events.at(-1);
    if (event && entry.change.after - event[0]!.change.after <= 1) event.push(entry);
    else events.push([entry]);
  }
  return events.reverse().map(changes => {
    const before = Math.min(...changes.map(({ change }) => change.before));
    const after = Math.max(...changes.map(({ change }) => change.after));
    const sorted = changes.sort((a, b) => ORDER[a.change.verdict] - ORDER[b.change.verdict]);
    const settings = settingChanges.filter(({ at }) => at > before && at <= after);
    return { before, after, verdict: sorted[0]!.change.verdict, changes: sorted, settings };
  });
}

/** Lists the metrics of a group that changed without a clear position. */
export function listDrifts({ metrics }: TrendGroup): MetricTrend[] {
  return metrics.filter(({ drift }) => drift !== null);
}

/** Summarizes a group in a few words, such as `2 changes in 100 runs; the last at run 86: 9 metrics got better`. */
export function formatHeadline(group: TrendGroup, { minTotalRuns }: Pick<RunTrend, 'minTotalRuns'>): string {
  const runs = formatCount(group.runs.length, 'run');
  if (group.metrics.every(({ state }) => state === 'too few runs'))
    return `${runs}; at least ${minTotalRuns} are needed to find changes`;
  const events = listEvents(group);
  const [last] = events;
  const drifts = listDrifts(group);
  const drift =
    drifts.length > 0 ? `${formatCount(drifts.length, 'metric')} changed without a clear position` : '';
  if (!last) return drift === '' ? `no change found in ${runs}` : `${drift}, in ${runs}`;
  const verdicts = last.changes.map(({ change }) => change.verdict);
  const parts = (['worse', 'better', 'changed'] as const).flatMap(verdict => {
    const count = verdicts.filter(each => each === verdict).length;
    if (count === 0) return [];
    return [`${formatCount(count, 'metric')} ${verdict === 'changed' ? 'changed' : `got ${verdict}`}`];
  });
  const position = `${events.length === 1 ? 'at' : 'the last at'} run ${last.after + 1}`;
  const found = `${formatCount(events.length, 'change')} in ${runs}${events.length === 1 ? ',' : ';'} ${position}: ${parts.join(', ')}`;
  return drift === '' ? found : `${found}; ${drift}`;
}

/** Formats the name of a statistic without its server, such as `time_to_first_token p99`. */
export function formatFigure({ shortName, stat }: FigureName): string {
  return `${shortName} ${stat === 'rate' ? 'per s' : stat}`;
}

/** Formats a statistic in words, such as `Latency of requests, mean`. */
export function formatTitle({ meaning, shortName, stat }: FigureName): string {
  const text = nameQuantity(meaning === '' ? shortName : meaning);
  const word = { avg: 'mean', rate: 'per second' }[stat] ?? stat;
  return `${text}, ${word}`;
}

/** Formats a level with its interval, such as `179.7 ms [177.2, 182.2] in 6 runs`. */
export function formatLevel({ mean, low, high, runs }: Level, unit: string | null): string {
  return `${formatValue(mean, unit)} [${formatValue(low, unit)}, ${formatValue(high, unit)}] in ${formatCount(runs, 'run')}`;
}

/** Formats a relative change, such as `+46.2%`; a change from 0 has no ratio. */
export function formatChange(change: number | null): string {
  if (change === null) return 'from 0';
  return `${change > 0 ? '+' : ''}${formatPercent(change)}`;
}

/** Formats a p-value. */
export function formatP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p ${formatNumber(Number(p.toFixed(3)))}`;
}

/** Describes a change of a metric with its evidence. */
export function describeChange(metric: MetricTrend, { from, to, change, p }: MetricChange): string {
  return `${formatChange(change)}: ${formatLevel(from, metric.unit)} → ${formatLevel(to, metric.unit)}, ${formatP(p)}`;
}

/** Describes a change without a clear position. */
export function describeDrift({ drift, unit }: MetricTrend): string {
  const { from, to, change, p } = drift!;
  return `${formatChange(change)} over the runs, without a clear position: from ${formatValue(from, unit)} to ${formatValue(to, unit)} on a line, ${formatP(p)}`;
}

/** Describes a change of a setting, such as `Servelens 0.1.0 → 0.2.0`. */
export function describeSetting({ setting, from, to }: SettingChange): string {
  return `${setting} ${from === '' ? 'not set' : from} → ${to === '' ? 'not set' : to}`;
}

/** Formats the start of a run, such as `2026-11-23 21:44`. */
export function formatStart({ startNs }: TrendRun): string {
  return new Date(Number(startNs / 1_000_000n)).toISOString().slice(0, 16).replace('T', ' ');
}

/** Formats the time between the first and the last run of a group. */
export function formatPeriod({ runs }: TrendGroup): string {
  return `${formatStart(runs[0]!)} to ${formatStart(runs.at(-1)!)} UTC`;
}

/** Returns the names of the runs of all groups: their paths without the folders that all of them have in common. */
export function nameRuns({ groups }: RunTrend): ReadonlyMap<TrendRun, string> {
  const runs = groups.flatMap(group => group.runs);
  const parts = runs.map(({ path }) => path.split(/[\\/]/).filter(part => part !== ''));
  const shortest = Math.min(...parts.map(({ length }) => length));
  let common = 0;
  while (common < shortest - 1 && parts.every(part => part[common] === parts[0]![common])) common++;
  return new Map(runs.map((run, i) => [run, parts[i]!.slice(common).join('/')]));
}

/** The assumption of the tests, and what is corrected for. */
const ASSUMPTION =
  'runs are assumed to be independent of each other, except for a correlation of neighboring runs, such as through a warm cache, which is estimated and widens the errors of the means';

/** Describes how changes were found, and lists the exceptions: metrics that were not tested, and settings that vary. */
export function describeMethods(
  group: TrendGroup,
  trend: RunTrend,
): { readonly method: readonly string[]; readonly exceptions: readonly string[] } {
  return {
    method: [describeMethod(group, trend), ASSUMPTION],
    exceptions: [...listUntested(group, trend), ...listVarying(group)],
  };
}

function listUntested({ metrics }: TrendGroup, { minTotalRuns }: Pick<RunTrend, 'minTotalRuns'>): string[] {
  const untested = metrics.filter(({ state }) => state === 'too few runs');
  if (untested.length === 0 || untested.length === metrics.length) return [];
  const list = untested.map(metric => `${formatFigure(metric)} (${formatCount(metric.known, 'run')})`);
  return [`not tested, because at least ${minTotalRuns} runs with the metric are needed: ${list.join(', ')}`];
}

function listVarying({ varyingSettings }: TrendGroup): string[] {
  return varyingSettings.map(
    ({ setting, values }) => `${setting} is different in most runs (${formatCount(values, 'value')})`,
  );
}

function describeMethod({ tested, level }: TrendGroup, { settings, minTotalRuns }: RunTrend): string {
  return `${METHOD_NAME} with up to ${settings.permutations} permutations; ${formatCount(tested, 'metric')} tested at ${formatPercent(settings.alpha)} together (Benjamini-Hochberg), so p up to ${formatNumber(Number(level.toPrecision(2)))} each; means confirmed with Welch's test (Bonferroni); changes from ${formatPercent(settings.minChange)}; at least ${settings.minRuns} runs on each side, ${minTotalRuns} in total; intervals of ${formatPercent(1 - settings.alpha)}`;
}

/** Lists the folders that are not part of the trend, with the reasons. */
export function listProblems({ problems }: RunTrend): string[] {
  return problems.map(({ path, reason }) => (reason.includes(path) ? reason : `${path}: ${reason}`));
}

/** Lists the folders that are not part of the trend, and notes on the trend. */
export function listNotes(trend: RunTrend): string[] {
  return [...listProblems(trend), ...trend.notes];
}
