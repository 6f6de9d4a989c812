import type { Path } from '../json/path.ts';
import { canBeNegative, isRequestCount, UNIT_BY_TAG } from '../json/profileTags.ts';
import type { Report } from './findings.ts';
import { asObject, getField, getText, type Values } from './values.ts';

/** Statistics of a block that have its unit. `std` is checked by the schema. */
const VALUE_KEYS: readonly string[] = [
  ...['value', 'avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'],
];

/** Checks that the known metrics of a profile export or of a request are objects. */
export function checkTypes(report: Report, metrics: Values, path: Path): void {
  for (const tag of Object.keys(metrics))
    if (UNIT_BY_TAG.has(tag) && !asObject(metrics[tag]))
      report(
        'field-type',
        [...path, tag],
        'is not an object; expected the unit and the values of the metric',
      );
}

/** Checks the unit of a known metric, and that its values are possible. */
export function checkValues(report: Report, path: Path, tag: string, block: Values): void {
  const expectedUnit = UNIT_BY_TAG.get(tag);
  const unit = getText(block, 'unit');
  if (expectedUnit !== undefined && unit !== undefined && unit !== expectedUnit)
    report('profile-unit', [...path, 'unit'], `is ${unit}; the unit of ${tag} is ${expectedUnit}`, unit);
  for (const key of VALUE_KEYS) {
    const problem = findProblem(tag, getField(block, key));
    if (problem) report('profile-value', [...path, key], problem, block[key]);
  }
}

/** Statistics over runs that have the unit of the metric and its sign. Ends of intervals can be negative. */
const RUN_KEYS: readonly string[] = ['mean', 'min', 'max'];

/**
 * Checks that the statistics of a known metric over several runs are possible.
 *
 * @param name tag and statistic, such as `request_latency_p99`
 */
export function checkRunValues(report: Report, path: Path, name: string, block: Values): void {
  const tag = name.replace(/_(avg|min|max|std|sum|count|p\d+)$/, '');
  if (canBeNegative(tag)) return;
  for (const key of RUN_KEYS) {
    const value = getField(block, key);
    if (typeof value === 'number' && value < 0)
      report('profile-value', [...path, key], `is ${value}; ${tag} cannot be negative`, value);
  }
}

/** Metrics with a list of values for each request. */
const LIST_TAGS: ReadonlySet<string> = new Set(['inter_chunk_latency']);

/** Describes the problem of a value, or of an item of a list of values; undefined if there is none. */
function findProblem(tag: string, value: unknown): string | undefined {
  if (Array.isArray(value) && UNIT_BY_TAG.has(tag) && !LIST_TAGS.has(tag))
    return `is a list; expected the number of ${tag}`;
  const values = Array.isArray(value) ? value : [value];
  const negative = canBeNegative(tag) ? undefined : values.find(item => typeof item === 'number' && item < 0);
  if (negative !== undefined) return `is ${negative}; ${tag} cannot be negative`;
  if (isRequestCount(tag) && typeof value === 'number' && !Number.isInteger(value))
    return `is ${value}; a number of requests is an integer`;
  return undefined;
}
