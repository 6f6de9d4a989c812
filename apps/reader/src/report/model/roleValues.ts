import {
  listCountedSeries,
  type RoleSeries,
  type Run,
  type RunSeries,
  recognizeServers,
  selectRoleSeries,
} from '@org/analysis';
import type { CountMetric, MetricRole, ServerDefinition } from '@org/servers';
import type { Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { ObservationTrace } from '../timeline/trace.ts';
import { findMaximum } from './values.ts';

/** The values of a role over time, combined and by endpoint. */
export interface RoleValues {
  readonly values: Values;
  /** The names of the metrics. */
  readonly metrics: readonly string[];
  /** The values of each endpoint, in the order of the run. */
  readonly endpoints: readonly EndpointValues[];
}

export interface EndpointValues {
  readonly name: string;
  readonly values: Values;
}

/** The histograms of a role. */
export interface RoleHistograms {
  readonly metrics: readonly string[];
  /** The factor that converts their values to ms. */
  readonly unitMs: number;
  readonly slices: readonly EndpointHistogram[];
}

export interface EndpointHistogram {
  readonly endpoint: string;
  readonly slices: ObservationTrace;
}

type Combine = (values: readonly number[]) => number;

const addUp: Combine = values => values.reduce((sum, value) => sum + value, 0);
const findLargest: Combine = values => values.reduce((a, b) => Math.max(a, b));
const average: Combine = values => addUp(values) / values.length;

/** Reads a gauge, such as the number of running requests, or the rate of a counter. Returns undefined if no server has it. */
export function readRole(run: Run, traces: RunTraces, role: MetricRole): RoleValues | undefined {
  const series = selectRoleSeries(run, role);
  const found = series.flatMap(entry => {
    const values = readValues(entry, traces);
    return values ? [{ series: entry.series, values }] : [];
  });
  const operation = series[0]?.operation;
  const combine = operation === 'max' ? findLargest : operation === 'mean' ? average : addUp;
  return combineRole(found, combine, role === 'kvCacheUsage');
}

/** Returns the values of a series over time; undefined if it has none. */
function readValues({ series, operation }: RoleSeries, traces: RunTraces): Values | undefined {
  const trace = traces.find(series)?.trace;
  if (!trace) return undefined;
  if (operation === 'observed' && trace instanceof ObservationTrace) return trace.sumRates();
  const scale = operation === 'busy' ? 1e-6 : 1;
  return trace.values().map(value => (value === null ? null : value * scale));
}

interface SeriesValues {
  readonly series: RunSeries;
  readonly values: Values;
}

function combineRole(
  found: readonly SeriesValues[],
  combine: Combine,
  isShare = false,
): RoleValues | undefined {
  if (found.length === 0) return undefined;
  const highest = findMaximum(found.flatMap(({ values }) => values)) ?? 0;
  // Servers report shares as fractions or as percentages; see `RoleMetric`.
  const scale = isShare && highest <= 1.5 ? 100 : 1;
  const combineAll = (list: readonly Values[]): Values => combineValues(list, combine, scale);
  const names = [...new Set(found.map(({ series }) => series.endpoint))];
  return {
    values: combineAll(found.map(({ values }) => values)),
    metrics: [...new Set(found.map(({ series }) => series.name))],
    endpoints: names.map(name => ({
      name,
      values: combineAll(found.filter(({ series }) => series.endpoint === name).map(({ values }) => values)),
    })),
  };
}

/** Combines lists of values by position; null where no list has a value. */
export function combineValues(lists: readonly Values[], combine: Combine, scale = 1): (number | null)[] {
  return (lists[0] ?? []).map((_, i) => {
    const known: number[] = [];
    for (const values of lists) {
      const value = values[i];
      if (value !== null && value !== undefined) known.push(value);
    }
    return known.length === 0 ? null : combine(known) * scale;
  });
}

/** Reads the rate of a count, such as prompt tokens, from the servers closest to the client. */
export function readCountRate(
  run: Run,
  traces: RunTraces,
  select: (definition: ServerDefinition) => readonly CountMetric[],
): RoleValues | undefined {
  // From the client to the engine: each request is counted by all kinds of servers that it passes.
  for (const kind of ['gateway', 'frontend', 'engine']) {
    const definitions = recognizeServers(run).filter(definition => definition.kind === kind);
    const found = definitions.flatMap(definition => readCounts(run, traces, select(definition)));
    if (found.length > 0) return combineRole(found, addUp);
  }
  return undefined;
}

/** Reads the first of several counts that a server has. */
function readCounts(run: Run, traces: RunTraces, metrics: readonly CountMetric[]): SeriesValues[] {
  for (const { name, plus = [], of, where } of metrics) {
    const found = [name, ...plus].flatMap(metric =>
      listCountedSeries(run, metric)
        .filter(({ labels }) => !where || where.values.includes(labels[where.label] ?? ''))
        .flatMap(series => {
          const values = readValues({ series, operation: of === 'sum' ? 'observed' : 'total' }, traces);
          return values ? [{ series, values }] : [];
        }),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** Units of latencies, in ms. */
const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1000,
  milliseconds: 1,
  microseconds: 1e-3,
  nanoseconds: 1e-6,
};

/** Reads the histograms of a latency. Returns undefined if there are none, or if their units are unknown or differ. */
export function readRoleHistograms(
  run: Run,
  traces: RunTraces,
  role: MetricRole,
): RoleHistograms | undefined {
  const series = selectRoleSeries(run, role).map(entry => entry.series);
  const units = new Set(series.map(({ unit }) => UNIT_MS[unit ?? '']));
  const [unitMs] = units;
  if (units.size !== 1 || unitMs === undefined) return undefined;
  const slices = series.flatMap(entry => {
    const found = traces.find(entry)?.slices;
    return found ? [{ endpoint: entry.endpoint, slices: found }] : [];
  });
  if (slices.length === 0) return undefined;
  return { metrics: [...new Set(series.map(({ name }) => name))], unitMs, slices };
}
