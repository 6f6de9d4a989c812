import type { Estimate } from '@org/analysis/browser';
import { formatNumber, formatValue } from '@org/core';
import type { LoadPointData, SelectableMetric } from './sweepData.ts';

/** Formats an estimate as `21.3 ± 0.4`. */
export function formatEstimate(estimate: Estimate | undefined, unit: string): string {
  if (!estimate || !Number.isFinite(estimate.mean)) return '';
  const mean = formatValue(estimate.mean, unit, 10);
  return estimate.half === null ? mean : `${mean} ± ${formatValue(roundHalf(estimate.half), unit)}`;
}

/** Rounds to two digits, because an interval is not known more exactly. */
function roundHalf(half: number): number {
  return Number(half.toPrecision(2));
}

/** Formats the name of a parameter, without the path of the measured phase or the data set: `concurrency`. */
export function formatParameterName(path: string): string {
  return path.replace(/^(?:phases\.profiling|datasets\.main\.prompts)\.(?=[^.]+$)/, '');
}

/** Formats the parameters of a point as `concurrency 16, isl 128`. */
export function formatPoint({ name, parameters }: Pick<LoadPointData, 'name' | 'parameters'>): string {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return name;
  return entries
    .map(([parameter, value]) => (parameter === 'variation' ? value : `${parameter} ${value}`))
    .join(', ');
}

/** Describes a point of a chart: its load, and its values of some metrics. */
export function describePoint(
  point: LoadPointData,
  metrics: readonly (SelectableMetric | undefined)[],
  name = '',
): string {
  const values = metrics.flatMap(metric => {
    const text = metric ? formatEstimate(point.estimates[metric.metric], metric.unit) : '';
    return text === '' ? [] : [`${metric!.short} ${text}`];
  });
  return `${name === '' ? '' : `${name}, `}${formatPoint(point)}: ${values.join(', ')}`;
}

/** Formats a value of a chart with its unit. */
export function formatPlain(value: number, unit: string): string {
  return `${formatNumber(Number(value.toPrecision(4)))}${unit}`;
}
