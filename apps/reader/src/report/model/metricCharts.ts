import { nameQuantity } from '../../quantityNames.ts';
import type { ColorName } from '../../svg/palette.ts';
import type { TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { KeyFamily } from '../keyFamilies.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { ObservationTrace, type Trace } from '../timeline/trace.ts';
import { toPointAxis } from './clientCharts.ts';
import { combineValues } from './roleValues.ts';
import { areAllZero, roundValues } from './values.ts';

/** The charts of metrics, and the names of metrics that were always 0. */
export interface MetricCharts {
  readonly charts: readonly TimeChart[];
  readonly zero: readonly string[];
}

/** Builds a chart for each key metric that no other chart draws. */
export function buildMetricCharts(
  families: readonly KeyFamily[],
  traces: RunTraces,
  drawn: ReadonlySet<string>,
): MetricCharts {
  const charts: TimeChart[] = [];
  const zero: string[] = [];
  for (const entry of families) {
    const found = traces.list(entry.family.name);
    if (drawn.has(entry.family.name) || found.length === 0) continue;
    const values = combineTraces(
      found.map(({ trace }) => trace),
      entry.combined,
    );
    if (values.every(value => value === null)) continue;
    if (areAllZero(values))
      zero.push(entry.meaning ? `${entry.family.name} (${entry.meaning})` : entry.family.name);
    else charts.push(buildChart(entry, values, traces));
  }
  return { charts, zero };
}

/** Units that charts convert, with their factor. */
const UNITS: Readonly<Record<string, readonly [factor: number, unit: string]>> = {
  seconds: [1000, 'ms'],
  milliseconds: [1, 'ms'],
  microseconds: [1e-3, 'ms'],
  nanoseconds: [1e-6, 'ms'],
  ratio: [100, '%'],
  percent: [1, '%'],
  bytes: [2 ** -20, 'MiB'],
};

function nameMetric(name: string, meaning: string): string {
  if (meaning === '') return name;
  return nameQuantity(meaning);
}

/** Reports whether a title needs no unit after it, because it begins or ends with the unit. */
function namesUnit(title: string, unit: string): boolean {
  const words = title.toLowerCase().split(' ');
  return unit === '' || words[0] === unit || words.at(-1) === unit;
}

function buildChart(
  { family, meaning, kind, combined }: KeyFamily,
  values: Values,
  traces: RunTraces,
): TimeChart {
  const [factor, unit] = UNITS[family.unit ?? ''] ?? [1, kind === 'rate' ? '' : (family.unit ?? '')];
  const suffix = kind === 'rate' ? `${unit}/s` : unit;
  const title = nameMetric(family.name, meaning);
  const color: ColorName = 'server';
  const name = kind === 'observations' ? 'mean' : combined === 'max' ? 'highest' : 'all';
  return {
    id: `metric-${family.name.replace(/\W+/g, '-')}`,
    side: 'server',
    title: namesUnit(title, suffix) ? title : `${title}, ${suffix}`,
    unit: suffix,
    metrics: [family.name],
    help: kind === 'observations' ? 'Mean of all observations.' : '',
    axis: toPointAxis(traces.axis.width),
    layers: [
      {
        form: 'line',
        name,
        color,
        values: roundValues(values.map(value => (value === null ? null : value * factor))),
      },
    ],
  };
}

/**
 * Combines traces into one value per bin; null if no trace has a value. Histograms are combined into the mean of their
 * observations, which is not the mean of their means.
 */
function combineTraces(traces: readonly Trace[], operation: KeyFamily['combined']): Values {
  const observations = traces.filter(trace => trace instanceof ObservationTrace);
  if (observations.length > 0)
    return Array.from(observations[0]!.counts, (_, bin) => {
      const count = observations.reduce((sum, { counts }) => sum + counts[bin]!, 0);
      const total = observations.reduce((sum, { sums }) => sum + sums[bin]!, 0);
      return count > 0 ? total / count : null;
    });
  return combineValues(
    traces.map(trace => trace.values()),
    values =>
      operation === 'max' ? values.reduce((a, b) => Math.max(a, b)) : values.reduce((a, b) => a + b, 0),
  );
}
