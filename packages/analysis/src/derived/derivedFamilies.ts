import type { Run } from '../run/run.ts';
import type { RunFamily, RunSeries } from '../run/series.ts';
import { computeDerived, type DerivedValue } from './computeDerived.ts';

/** The endpoint name of values of all endpoints together. */
export const ALL_ENDPOINTS = 'all';

/** Runs with derived metrics, by the run without them. */
const runsWithDerived = new WeakMap<Run, Run>();

/**
 * Returns a run whose metrics include the derived ones, so that rules and comparisons can use them. A metric of a server
 * or of the client with the name of a derived one stays as it is.
 */
export function withDerivedMetrics(run: Run): Run {
  const known = runsWithDerived.get(run);
  if (known) return known;
  const families = new Map(run.families);
  for (const family of createFamilies(run)) if (!families.has(family.name)) families.set(family.name, family);
  const extended = { ...run, families };
  runsWithDerived.set(run, extended);
  runsWithDerived.set(extended, extended);
  return extended;
}

/** Describes why a derived metric has no value; undefined for other metrics. */
export function describeMissingDerived(run: Run, name: string): string | undefined {
  if (!run.servers.formulas.some(formula => formula.name === name)) return undefined;
  const reasons = computeDerived(run).flatMap(value => (value.name === name ? (value.missing ?? []) : []));
  return `${name} is unknown: ${[...new Set(reasons)].join('; ') || 'the run has no server that it applies to'}`;
}

function createFamilies(run: Run): RunFamily[] {
  const urls = new Map(run.endpoints.map(({ name, url }) => [name, url]));
  const byName = new Map<string, RunSeries[]>();
  const known = computeDerived(run).filter(({ value }) => value !== undefined);
  for (const value of known)
    byName.set(value.name, [...(byName.get(value.name) ?? []), createSeries(value, urls)]);
  return [...byName].map(([name, series]) => {
    const { formula, unit } = known.find(value => value.name === name)!;
    return { name, type: 'derived', unit, description: formula.meaning, series };
  });
}

function createSeries(
  { name, unit, endpoint: shortName, labels, value, slices }: DerivedValue,
  urls: ReadonlyMap<string, string>,
): RunSeries {
  const endpoint = shortName ?? ALL_ENDPOINTS;
  return {
    ...{ name, type: 'derived', unit, labels, endpoint, endpointUrl: urls.get(endpoint) ?? endpoint },
    stats: { value: value! },
    slices: slices.map(slice => ({
      start_ns: slice.startNs,
      end_ns: slice.endNs,
      is_complete: slice.isComplete,
      avg: slice.value,
      ...(slice.weight !== undefined && { count: slice.weight }),
    })),
  };
}
