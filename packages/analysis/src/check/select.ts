import { findFindings } from '../findings/findFindings.ts';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import type { Matcher, Selector } from './expression.ts';
import { ExpressionError } from './expressionError.ts';
import { type Quantity, toCount, toQuantity } from './quantity.ts';

/** Values of a run that rules can use in addition to metrics, such as `endpoints.successful`. */
export const RUN_FACTS: Readonly<
  Record<string, Readonly<Record<string, (run: Run) => Quantity | undefined>>>
> = {
  endpoints: {
    configured: run => countEndpoints(run, run.view.summary?.endpoints_configured.length ?? 0),
    successful: run => countEndpoints(run, run.view.summary?.endpoints_successful.length ?? 0),
    without_data: run =>
      countEndpoints(run, run.endpoints.filter(({ state }) => state === 'without_data').length),
  },
  scrapes: {
    total: run => sumScrapes(run, 'total_fetches'),
    failed: run => sumScrapes(run, 'scrapes_failed'),
    late: run => sumScrapes(run, 'scrapes_late'),
  },
  run: {
    seconds: ({ times }) => (times.seconds === undefined ? undefined : toQuantity(times.seconds, 'seconds')),
    profiling_seconds: ({ times }) =>
      times.profilingSeconds === undefined ? undefined : toQuantity(times.profilingSeconds, 'seconds'),
    series: ({ seriesCount }) => toCount(seriesCount),
    interrupted: ({ wasCancelled }) =>
      wasCancelled === undefined ? undefined : toCount(Number(wasCancelled)),
  },
  findings: {
    problems: run => toCount(findFindings(run).filter(({ severity }) => severity === 'problem').length),
    warnings: run => toCount(findFindings(run).filter(({ severity }) => severity === 'warning').length),
  },
};

/** Returns a count of endpoints; undefined if the file does not list them. */
function countEndpoints(run: Run, count: number): Quantity | undefined {
  return run.endpoints.length === 0 ? undefined : toCount(count);
}

function sumScrapes(
  run: Run,
  field: 'total_fetches' | 'scrapes_failed' | 'scrapes_late',
): Quantity | undefined {
  const values = run.endpoints.flatMap(({ info }) => info?.[field] ?? []);
  return values.length === 0 ? undefined : toCount(sum(values));
}

/** Reports whether a selector refers to one of `RUN_FACTS`. A metric of the same name takes precedence. */
export function isFact(run: Run, { name, matchers }: Selector): boolean {
  return Object.hasOwn(RUN_FACTS, name) && matchers.length === 0 && !run.families.has(name);
}

/**
 * Returns the series that a selector matches.
 *
 * @throws ExpressionError for an invalid regular expression
 */
export function selectSeries(run: Run, { name, matchers }: Selector, text: string): readonly RunSeries[] {
  const fits = matchers.map(matcher => createMatcher(matcher, text));
  const series = run.families.get(name)?.series ?? [];
  return series.filter(candidate => fits.every(fit => fit(candidate)));
}

/**
 * Creates the predicate of a matcher. As in Prometheus, a missing label is empty. `endpoint_url` matches the
 * URL of the endpoint or its short name.
 */
function createMatcher(
  { at, label, operator, value }: Matcher,
  text: string,
): (candidate: RunSeries) => boolean {
  const valuesOf = ({ labels, endpoint, endpointUrl }: RunSeries): string[] => {
    if (Object.hasOwn(labels, label)) return [labels[label]!];
    return label === 'endpoint_url' ? [endpointUrl, endpoint] : [''];
  };
  const pattern = operator.endsWith('~') ? compilePattern(value, text, at) : undefined;
  const fits = (found: string): boolean => (pattern ? pattern.test(found) : found === value);
  return operator.startsWith('!')
    ? candidate => !valuesOf(candidate).some(fits)
    : candidate => valuesOf(candidate).some(fits);
}

function compilePattern(value: string, text: string, at: number): RegExp {
  try {
    return new RegExp(`^(?:${value})$`, 'su');
  } catch (error) {
    throw new ExpressionError(`invalid regular expression: ${(error as Error).message}`, text, at);
  }
}

/** Formats a series as `name{label="value"} of localhost:8000`. */
export function formatSeries({ name, labels, endpoint, type }: RunSeries): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const where = type === 'client' ? '' : ` of ${endpoint}`;
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''}${where}`;
}

/** Lists the numeric statistics of a series. */
export function listStats(candidate: RunSeries): string[] {
  return Object.keys(candidate.stats).filter(name => readStat(candidate, name) !== undefined);
}

/** Explains that a metric does not exist, with similar names. */
export function describeMissingMetric(run: Run, name: string): string {
  const bare = name.replace(/_total$/, '');
  if (bare !== name && run.families.has(bare))
    return `no metric ${name}; counters are exported without _total: ${bare}`;
  const word = bare.replace(/^[a-z]+[:_]/, '');
  const near = [...run.families.keys()].filter(known => word.length > 2 && known.includes(word)).slice(0, 3);
  return `no metric ${name}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`;
}
