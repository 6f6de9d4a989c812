import type { DerivedMetric } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import { builtInServers, type ServerCatalog } from '@org/servers';
import { createRun } from '../run/run.ts';
import { computeDerived, type DerivedSlice, type DerivedValue } from './computeDerived.ts';

/**
 * Creates the derived metrics of a server metrics document. A metric without a value has the reason, unless the server
 * exports none of the metrics that the formula reads.
 */
export function createDerivedBlock(
  view: ServerMetricsView,
  servers: ServerCatalog = builtInServers,
): DerivedMetric[] {
  const run = createRun({ name: '', layout: 'json', files: {}, view, servers });
  const urls = new Map(run.endpoints.map(({ name, url }) => [name, url]));
  return computeDerived(run)
    .filter(({ value, hasMetrics }) => value !== undefined || hasMetrics)
    .map(derived => toEntry(derived, urls));
}

function toEntry(derived: DerivedValue, urls: ReadonlyMap<string, string>): DerivedMetric {
  const { name, unit, formula, endpoint, labels, value, missing, isExact, slices } = derived;
  return {
    ...{ name, formula: formula.formula, unit },
    endpoint_url: endpoint === null ? null : (urls.get(endpoint) ?? endpoint),
    labels,
    ...(value === undefined ? {} : { value, is_exact: isExact }),
    ...(missing === undefined ? {} : { missing }),
    ...(slices.length === 0 ? {} : { timeslices: slices.map(toSlice) }),
  };
}

function toSlice({
  startNs,
  endNs,
  isComplete,
  value,
}: DerivedSlice): NonNullable<DerivedMetric['timeslices']>[number] {
  return { start_ns: startNs, end_ns: endNs, ...(isComplete ? {} : { is_complete: false }), value };
}
