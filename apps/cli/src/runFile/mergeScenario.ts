import { isMapping, toCamelCase } from './field.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Keys that show the kind of a distribution. A distribution of another kind replaces the earlier one. */
const DISTRIBUTION_KEYS = ['peaks', 'points', 'value', 'median', 'stddev'];

/** Keys with a single item or a list of named items, by the key of the list. */
const SINGULAR: Readonly<Record<string, string>> = { dataset: 'datasets', model: 'models' };

/**
 * Merges the `benchmark` of a scenario into the `benchmark` of the file, as AIPerf does: mappings key by key, and lists of
 * named items by name. Other lists, and distributions of another kind, are replaced.
 */
export function mergeScenario(base: Mapping, scenario: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(scenario)) {
    const baseKey = findKey(base, key);
    if (baseKey === undefined) merged[key] = value;
    else merged[baseKey] = mergeItems(base[baseKey], value);
  }
  return merged;
}

/** Finds the key in the file: in camel case or snake case, and `dataset` also for `datasets`. */
function findKey(base: Mapping, key: string): string | undefined {
  const name = toCamelCase(key);
  const [singular, plural] = Object.entries(SINGULAR).find(entry => entry.includes(name)) ?? [name, name];
  return Object.keys(base).find(candidate => [name, singular, plural].includes(toCamelCase(candidate)));
}

/** Merges a single item into a list of one, and the other way round. */
function mergeItems(base: unknown, value: unknown): unknown {
  if (Array.isArray(base) && base.length === 1 && isMapping(value)) return [mergeValue(base[0], value)];
  if (isMapping(base) && Array.isArray(value) && value.length === 1) return mergeValue(base, value[0]);
  return mergeValue(base, value);
}

function mergeValue(base: unknown, value: unknown): unknown {
  if (isNamedList(base) && isNamedList(value)) return mergeNamedLists(base, value);
  if (!isMapping(base) || !isMapping(value) || isOtherDistribution(base, value)) return value;
  return mergeScenario(base, value);
}

function isNamedList(value: unknown): value is readonly Mapping[] {
  return Array.isArray(value) && value.every(item => isMapping(item) && typeof item.name === 'string');
}

function mergeNamedLists(base: readonly Mapping[], scenario: readonly Mapping[]): Mapping[] {
  const changed = base.map(item => {
    const change = scenario.find(({ name }) => name === item.name);
    return change ? mergeScenario(item, change) : item;
  });
  return [...changed, ...scenario.filter(({ name }) => base.every(item => item.name !== name))];
}

function isOtherDistribution(base: Mapping, value: Mapping): boolean {
  const [before, after] = [base, value].map(mapping =>
    DISTRIBUTION_KEYS.filter(key => key in mapping).join(),
  );
  return before !== '' && after !== '' && before !== after;
}
