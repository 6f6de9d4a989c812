import { describeMissingDerived } from '../derived/derivedFamilies.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { SERVER_ENERGY_NAMES } from '../run/serverEnergy.ts';
import { findLabel } from '../run/targetLabels.ts';
import { ExpressionError, type Matcher, type Selector } from './expression.ts';
import { findFamily, lacksEnergy } from './findFamily.ts';

/**
 * Returns the series that a selector matches.
 *
 * @throws ExpressionError if the selector contains an invalid regular expression
 */
export function selectSeries(run: Run, { name, matchers }: Selector, text: string): readonly RunSeries[] {
  const predicates = matchers.map(matcher => createPredicate(run, matcher, text));
  const series = findFamily(run, name)?.series ?? [];
  return series.filter(candidate => predicates.every(matches => matches(candidate)));
}

/**
 * Creates the predicate of a matcher. As in Prometheus, a missing label is empty. Labels of the target, such as `pod`, are
 * matched as well; see `findLabel`. `endpoint_url` matches the URL of the endpoint, its short name, or its host and port.
 */
function createPredicate(
  { endpoints }: Run,
  { at, label, operator, value }: Matcher,
  text: string,
): (candidate: RunSeries) => boolean {
  const getAddress = (url: string): string =>
    endpoints.find(endpoint => endpoint.url === url)?.address ?? url;
  const listValues = (series: RunSeries): string[] => {
    const { endpoint, endpointUrl } = series;
    const found = findLabel(series, label);
    if (found !== undefined) return [found];
    return label === 'endpoint_url' ? [endpointUrl, endpoint, getAddress(endpointUrl)] : [''];
  };
  const pattern = operator.endsWith('~') ? compilePattern(value, text, at) : undefined;
  const matches = (labelValue: string): boolean =>
    pattern ? pattern.test(labelValue) : labelValue === value;
  return operator.startsWith('!')
    ? candidate => !listValues(candidate).some(matches)
    : candidate => listValues(candidate).some(matches);
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
  const endpointSuffix = type === 'client' ? '' : ` of ${endpoint}`;
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''}${endpointSuffix}`;
}

/** Formats the message for a metric that does not exist, with suggestions of similar names. */
export function describeMissingMetric(run: Run, name: string): string {
  const derived = describeMissingDerived(run, name);
  if (derived !== undefined) return derived;
  if (SERVER_ENERGY_NAMES.has(name))
    return `no metric ${name}; the energy of servers requires several servers that share no GPUs (--gpu-map)`;
  if (lacksEnergy(run, name)) return `no metric ${name}; the run contains no energy of GPUs`;
  const nameWithoutTotal = name.replace(/_total$/, '');
  if (nameWithoutTotal !== name && run.families.has(nameWithoutTotal))
    return `no metric ${name}; counters are exported without _total: ${nameWithoutTotal}`;
  const word = nameWithoutTotal.replace(/^[a-z]+[:_]/, '');
  const similar = [...run.families.keys()]
    .filter(candidate => word.length > 2 && candidate.includes(word))
    .slice(0, 3);
  return `no metric ${name}${similar.length > 0 ? `; did you mean ${similar.join(', ')}?` : ''}`;
}
