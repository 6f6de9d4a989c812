import type { Estimate } from './estimate.ts';

/** A variation of a sweep, as a point of its load. */
export interface LoadPoint {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** By metric and statistic, such as `request_latency_p99`. */
  readonly estimates: Readonly<Record<string, Estimate>>;
  /** The share of requests that failed, from 0 to 1; null if it is unknown. */
  readonly failedShare: number | null;
}

/** The points that differ in their load only, in ascending order of the load. */
export interface LoadGroup<Point> {
  /** The values of the other parameters; empty for a single group. */
  readonly name: string;
  readonly points: readonly Point[];
  /** The load of each point. */
  readonly loads: readonly number[];
}

/** The groups of a sweep, and the parameter that is their load. */
export interface GroupedLoad<Point> {
  /** The name of the parameter; undefined if no parameter has numbers, so that loads are positions. */
  readonly parameter: string | undefined;
  readonly groups: readonly LoadGroup<Point>[];
}

/** Parameters that set how much a client sends at a time. They come before lengths of prompts. */
const LOAD_PARAMETER = /(?:^|[._])(?:concurrency|rate)$/;

/** Groups the points of a sweep by all parameters except for the load. */
export function groupByLoad<Point extends Pick<LoadPoint, 'parameters'>>(
  points: readonly Point[],
): GroupedLoad<Point> {
  const parameter = findLoadParameter(points);
  const groups = new Map<string, { point: Point; load: number }[]>();
  for (const [position, point] of points.entries()) {
    const others = Object.entries(point.parameters).filter(([name]) => name !== parameter);
    const key = parameter === undefined ? '' : others.map(([name, value]) => `${name} ${value}`).join(', ');
    const load = parameter === undefined ? position : Number(point.parameters[parameter]);
    const group = groups.get(key) ?? [];
    group.push({ point, load });
    groups.set(key, group);
  }
  return {
    parameter,
    groups: [...groups].map(([name, members]) => {
      const sorted = members.sort((a, b) => a.load - b.load);
      return { name, points: sorted.map(({ point }) => point), loads: sorted.map(({ load }) => load) };
    }),
  };
}

/** Finds the parameter that is the load: concurrency or rate, or else the parameter with the most values. */
function findLoadParameter(points: readonly Pick<LoadPoint, 'parameters'>[]): string | undefined {
  const names = [...new Set(points.flatMap(({ parameters }) => Object.keys(parameters)))];
  const counted = names
    .filter(name => points.every(({ parameters }) => isNumber(parameters[name])))
    .map(name => ({ name, count: new Set(points.map(({ parameters }) => parameters[name])).size }))
    .sort((a, b) => b.count - a.count);
  const varied = counted.filter(({ count }) => count > 1);
  return (varied.find(({ name }) => LOAD_PARAMETER.test(name)) ?? varied[0] ?? counted[0])?.name;
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && Number.isFinite(Number(text));
}
