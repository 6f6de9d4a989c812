import type { TrendPoint } from './readPoints.ts';
import type { RunSettings } from './runSettings.ts';

/** Points of one workload, in order of time. */
export interface PointGroup {
  /** The settings that distinguish the group from other groups; all settings of the workload if there is one group. */
  readonly workload: RunSettings;
  readonly points: readonly TrendPoint[];
}

/** Divides points by their workload. Points whose workload is unknown are a group. */
export function groupPoints(points: readonly TrendPoint[]): PointGroup[] {
  const groups = new Map<string, TrendPoint[]>();
  for (const point of points) {
    const key = JSON.stringify([...point.workload]);
    const group = groups.get(key);
    if (group) group.push(point);
    else groups.set(key, [point]);
  }
  const members = [...groups.values()];
  const names = members.length === 1 ? undefined : findDifferences(members.map(([first]) => first!.workload));
  return members.map(group => ({
    workload: selectSettings(group[0]!.workload, names),
    points: group,
  }));
}

function findDifferences(workloads: readonly RunSettings[]): Set<string> {
  const names = new Set(workloads.flatMap(workload => [...workload.keys()]));
  return new Set([...names].filter(name => new Set(workloads.map(workload => workload.get(name))).size > 1));
}

function selectSettings(workload: RunSettings, names: ReadonlySet<string> | undefined): RunSettings {
  return names === undefined ? workload : new Map([...workload].filter(([name]) => names.has(name)));
}
