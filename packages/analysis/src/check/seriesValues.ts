import { describeDeath, describeMixture } from '../run/availability.ts';
import { isGaugeLike } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import { toUpperRate } from '../run/statisticsWindow.ts';
import type { Selector } from './expression.ts';
import { isFact, readFact } from './facts.ts';
import { findFamily } from './findFamily.ts';
import { isUnknown, type Quantity, toQuantity, type Unknown } from './quantity.ts';
import type { RateEnds } from './rateEnds.ts';
import { describeMissingMetric, formatSeries, selectSeries } from './selectSeries.ts';
import { listStats, readNamedStat } from './statistic.ts';

/** A value that a selector matches. `series` is absent for a fact about the run. */
export interface SeriesValue {
  readonly series?: RunSeries;
  readonly quantity: Quantity;
}

/** The run to select series from. */
interface SelectorContext {
  readonly run: Run;
  /** The text of the rule, for messages. */
  readonly text: string;
  readonly rateEnds?: RateEnds;
}

/** Reads the values of all series that a selector matches, or of a fact. The list is never empty. */
export function readSeriesValues(
  selector: Selector,
  { run, text, rateEnds }: SelectorContext,
): readonly SeriesValue[] | Unknown {
  const { name, at } = selector;
  if (isFact(run, selector)) {
    const quantity = readFact(selector, run);
    return isUnknown(quantity) ? quantity : [{ quantity }];
  }
  const series = selectSeries(run, selector, text);
  const [first] = series;
  if (!first) return { unknown: describeNoSeries(run, selector), at };
  const stats = listStats(first);
  const stat = selector.stat ?? (stats.length === 1 ? stats[0]! : null);
  if (stat === null)
    return { unknown: `${name} has several statistics; choose one of ${stats.join(', ')}`, at };
  const death = RATE_STAT.test(stat) ? findDeath(run, series) : undefined;
  if (death !== undefined) return { unknown: `${name}.${stat} is not the rate of the run: ${death}`, at };
  const mixture = findMixture(run, series);
  if (mixture !== undefined) return { unknown: `${name}.${stat} mixes several processes: ${mixture}`, at };
  const found = series.flatMap(candidate => {
    const upper = rateEnds?.run === 'upper' ? readNamedStat(candidate, toUpperRate(stat)) : undefined;
    const value = upper ?? readNamedStat(candidate, stat);
    return value === undefined ? [] : [{ series: candidate, quantity: toQuantity(value, candidate.unit) }];
  });
  return found.length === series.length ? found : { unknown: describeMissingStat(series, stat), at };
}

/** Statistics that are divided by the time between the first and the last sample, or are computed from such rates. */
const RATE_STAT = /(?:^|_)rate(?:_|$)/;

/** Finds and describes the death of an endpoint that one of the series belongs to. */
function findDeath({ endpoints, times }: Run, series: readonly RunSeries[]): string | undefined {
  const urls = new Set(series.map(({ endpointUrl }) => endpointUrl));
  const dead = endpoints.find(({ url, availability }) => urls.has(url) && availability.death);
  return dead && describeDeath(dead, times);
}

/** Describes an endpoint that mixes several processes, and that a counter or a histogram belongs to. */
function findMixture({ endpoints }: Run, series: readonly RunSeries[]): string | undefined {
  const cumulative = series.filter(({ type }) => type === 'counter' || type === 'histogram');
  const urls = new Set(cumulative.map(({ endpointUrl }) => endpointUrl));
  const mixed = endpoints.find(
    ({ url, availability }) => urls.has(url) && availability.mixedResets !== undefined,
  );
  return mixed && describeMixture(mixed);
}

/** Reads the increase of each counter, corrected for resets, or the number of observations of each histogram. */
export function readIncreases(
  selector: Selector,
  { run, text }: SelectorContext,
): readonly SeriesValue[] | Unknown {
  const { name, at } = selector;
  const series = selectSeries(run, selector, text);
  if (series.length === 0) return { unknown: describeNoSeries(run, selector), at };
  const mixture = findMixture(run, series);
  if (mixture !== undefined) return { unknown: `increase(${name}) mixes several processes: ${mixture}`, at };
  const found = series.flatMap(candidate => {
    const value = readStat(candidate, 'total') ?? readStat(candidate, 'count');
    const unit = candidate.type === 'histogram' ? null : candidate.unit;
    return value === undefined ? [] : [{ series: candidate, quantity: toQuantity(value, unit) }];
  });
  if (found.length === series.length) return found;
  const gaugeLike = series.find(({ stats }) => isGaugeLike(stats));
  if (gaugeLike)
    return { unknown: `${formatSeries(gaugeLike)} behaves like a gauge; its increase is unknown`, at };
  return { unknown: `${name} is a ${series[0]!.type}; increase() takes counters and histograms`, at };
}

/**
 * Returns the value of a single series. For several series, returns the message that the rule must select one
 * of them or aggregate their values.
 */
export function requireSingleSeries(
  found: readonly SeriesValue[] | Unknown,
  { name, at }: Selector,
): Quantity | Unknown {
  if (isUnknown(found)) return found;
  if (found.length === 1) return found[0]!.quantity;
  const examples = found.slice(0, 3).map(({ series }) => formatSeries(series!));
  const more = found.length > examples.length ? `; and ${found.length - examples.length} more` : '';
  const hint = 'select one by its labels, or aggregate with sum(), avg(), min() or max()';
  return { unknown: `${found.length} series of ${name}: ${examples.join('; ')}${more}; ${hint}`, at };
}

function describeNoSeries(run: Run, { name, matchers }: Selector): string {
  const family = findFamily(run, name);
  if (!family) return describeMissingMetric(run, name);
  const labels = matchers.length > 0 ? ' with these labels' : '';
  const existing = family.series.slice(0, 3).map(formatSeries).join('; ');
  return `no series of ${name}${labels}${existing === '' ? '' : `; existing series: ${existing}`}`;
}

function describeMissingStat(series: readonly RunSeries[], stat: string): string {
  const candidate = series.find(item => readNamedStat(item, stat) === undefined)!;
  const stats = listStats(candidate).join(', ');
  const isEmpty = candidate.type === 'histogram' && candidate.stats.count === 0;
  const reason = isEmpty
    ? 'the series has no observations in the run'
    : stats === ''
      ? 'the series has no statistics'
      : `expected one of ${stats}`;
  return `no statistic ${stat} in ${formatSeries(candidate)}; ${reason}`;
}
