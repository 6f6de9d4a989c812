import { any, array, exact, float, map, object, type Shape } from '../schema/shape.ts';

const ramp = object([['duration', float]]);

/** A number of tokens or of turns, or a delay: its mean, and its standard deviation. */
const distribution = map(float);

const endpoint = object([
  ...['urls', 'type', 'path', 'api_key'].map(name => [name, any] as const),
  ['timeout', float],
]);

const dataset = object([
  ...['name', 'type', 'path', 'entries', 'format', 'sampling', 'random_seed'].map(
    name => [name, any] as const,
  ),
  ['prompts', map(distribution)],
  ['turns', distribution],
  ['turn_delay', distribution],
]);

const phase = object([
  ...['name', 'kind', 'type', 'exclude_from_results', 'requests'].map(name => [name, any] as const),
  ['duration', float],
  ['sessions', any],
  ['concurrency', any],
  ['concurrency_ramp', ramp],
  ['grace_period', float],
  ['cancellation', map(float)],
  ['failed_request_threshold', float],
  ['rate', float],
  ['rate_ramp', ramp],
  ['smoothness', float],
]);

const artifacts = object([
  ['dir', any],
  ['prefix', any],
  ['records', any],
  ['raw', any],
  ['slice_duration', float],
]);

/** AIPerf's configuration of a benchmark: the order of its fields, and the numbers that are floats. */
export const AIPERF_CONFIG_SHAPE: Shape = object([
  ['models', exact],
  ['endpoint', endpoint],
  ['datasets', array(dataset)],
  ['phases', array(phase)],
  ['artifacts', artifacts],
  ['slos', map(float)],
]);
