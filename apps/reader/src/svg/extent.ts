import {
  type AreaLayer,
  getLayerAxis,
  type Layer,
  type PointAxis,
  type TimeChart,
} from './timeChartModel.ts';

/** Space above the highest value, as a fraction of the axis. */
const HEADROOM = 1.08;
/** A limit this many times above the highest value is not drawn, because the values would be flat. */
const MAX_LIMIT_FACTOR = 2.5;

/** The visible range of a time axis, in seconds. */
export type TimeRange = readonly [from: number, to: number];

/** Returns the upper end of the value axis of a chart, which fits the visible values. Single dots do not count. */
export function findTop({ axis, layers, limits = [], max }: TimeChart, [from, to]: TimeRange): number {
  if (max !== undefined) return max;
  const isVisible = (i: number, { from: start, step }: PointAxis): boolean => {
    const seconds = start + (i + 0.5) * step;
    return seconds >= from - step && seconds <= to + step;
  };
  const visible = layers.flatMap(layer =>
    listHeights(layer).filter((_, i) => isVisible(i, getLayerAxis(layer, { axis }))),
  );
  const stacked = stackAreas(layers).flatMap(({ upper }) => upper.filter((_, i) => isVisible(i, axis)));
  const highest = findHighest([...visible, ...stacked]);
  const dots = layers.flatMap(layer =>
    'points' in layer ? layer.points.flatMap(([at, value]) => (at >= from && at <= to ? value : [])) : [],
  );
  const top = highest > 0 ? highest : findHighest(dots);
  const drawn = limits.map(({ value }) => value).filter(value => top > 0 && value <= top * MAX_LIMIT_FACTOR);
  return (findHighest([top, ...drawn]) || 1) * HEADROOM;
}

function listHeights(layer: Layer): readonly (number | null)[] {
  if (layer.form === 'line' || layer.form === 'step') return layer.values;
  return layer.form === 'band' ? layer.high.map((high, i) => high ?? layer.low[i] ?? null) : [];
}

/** Returns the highest value; 0 if there is none. */
export function findHighest(values: Iterable<number | null>): number {
  let highest = 0;
  for (const value of values) if (value !== null && value > highest) highest = value;
  return highest;
}

/** An area with its edges, after stacking. */
export interface StackedArea {
  readonly layer: AreaLayer;
  readonly lower: readonly (number | null)[];
  readonly upper: readonly (number | null)[];
}

/** Stacks the areas of a chart. An unknown value is unknown in the areas above it only if nothing is known there. */
export function stackAreas(layers: readonly Layer[]): StackedArea[] {
  const base: number[] = [];
  return layers.flatMap(layer => {
    if (layer.form !== 'area') return [];
    const lower = layer.values.map((value, i) => (value === null ? null : (base[i] ?? 0)));
    const upper = layer.values.map((value, i) => (value === null ? null : (base[i] ?? 0) + value));
    for (const [i, value] of upper.entries()) if (value !== null) base[i] = value;
    return [{ layer, lower, upper }];
  });
}
