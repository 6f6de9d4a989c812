import { formatNumber } from '@org/core';
import { formatTime } from './ticks.ts';
import { getLayerAxis, type Layer, type PointAxis, type TimeChart } from './timeChartModel.ts';

/** Describes the values of a chart at a time, such as `12 s: p50 20 ms, p99 between 40 and 80 ms`. */
export function describeTime(chart: TimeChart, seconds: number): string {
  const layers = chart.layers.flatMap(layer =>
    describeLayer(layer, findIndex(getLayerAxis(layer, chart), seconds), chart.unit),
  );
  const load = chart.load?.values[findIndex(chart.load.axis, seconds)];
  const parts = load == null ? layers : [...layers, `${chart.load!.name} ${formatNumber(load)}`];
  return `${formatTime(seconds)}: ${parts.join(', ') || 'no data'}`;
}

/** Returns the index of the value at a time. */
export function findIndex({ from, step }: PointAxis, seconds: number): number {
  return Math.floor((seconds - from) / step);
}

function describeLayer(layer: Layer, index: number, unit: string): string[] {
  const format = (value: number): string => `${formatNumber(value)}${unit && ` ${unit}`}`;
  if (layer.form === 'band') {
    const [low, high] = [layer.low[index], layer.high[index]];
    if (low == null) return [];
    return [
      high == null
        ? `${layer.name} above ${format(low)}`
        : `${layer.name} between ${formatNumber(low)} and ${format(high)}`,
    ];
  }
  if (!('values' in layer)) return [];
  const value = layer.values[index];
  return value == null ? [] : [`${layer.name} ${format(value)}`];
}
