import { groupByLoad, type LoadGroup } from '@org/analysis/browser';
import { MARKER_SHAPES, type MarkerShape } from '../../svg/markers.ts';
import type { ColorName } from '../../svg/palette.ts';
import type { Tick, XyAxis } from '../../svg/xyChartModel.ts';
import type { LoadPointData, SweepData } from './sweepData.ts';

/** The points of a sweep by group, with the axis that they share. */
export interface SweepGroups {
  /** The name of the load, such as `concurrency`. */
  readonly load: string;
  readonly groups: readonly StyledGroup[];
  /** The groups of the baseline, in grey; empty without one. */
  readonly baseGroups: readonly StyledGroup[];
  readonly axis: XyAxis;
}

export interface StyledGroup extends LoadGroup<LoadPointData> {
  readonly color: ColorName;
  readonly marker: MarkerShape;
}

const COLORS: readonly ColorName[] = ['client', 'server', 'second', 'third', 'fourth', 'waiting', 'failed'];
/** The minimum ratio of the highest to the lowest load for a logarithmic axis. */
const MIN_LOG_RATIO = 8;

/** Groups the points of a sweep, and chooses a color and a marker for each group. */
export function groupSweep({ points, base }: Pick<SweepData, 'points' | 'base'>): SweepGroups {
  const { parameter, groups } = groupByLoad(points);
  const baseGroups = base ? groupByLoad(base.points).groups : [];
  const getMarker = (i: number): MarkerShape => MARKER_SHAPES[i % MARKER_SHAPES.length]!;
  return {
    load: parameter ?? 'variation',
    groups: groups.map((group, i) => ({
      ...group,
      color: COLORS[i % COLORS.length]!,
      marker: getMarker(i),
    })),
    baseGroups: baseGroups.map((group, i) => ({ ...group, color: 'grey', marker: getMarker(i) })),
    axis: createLoadAxis(parameter ?? 'variation', listTicks(groups, parameter)),
  };
}

function listTicks(groups: readonly LoadGroup<LoadPointData>[], parameter: string | undefined): Tick[] {
  const labels = new Map<number, string>();
  for (const { points, loads } of groups)
    for (const [i, load] of loads.entries())
      labels.set(load, parameter === undefined ? points[i]!.name : String(load));
  return [...labels].map(([value, label]): Tick => ({ value, label }));
}

/** Creates the axis of a load, which is logarithmic for a wide range. */
export function createLoadAxis(name: string, unsorted: readonly Tick[]): XyAxis {
  const ticks = [...unsorted].sort((a, b) => a.value - b.value);
  const [lowest, highest] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 0];
  if (lowest > 0 && highest / lowest >= MIN_LOG_RATIO)
    return { name, ticks, isLog: true, domain: [lowest / 1.3, highest * 1.3] };
  const space = (highest - lowest || 1) * 0.08;
  return { name, ticks, domain: [lowest - space, highest + space] };
}
