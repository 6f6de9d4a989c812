import type { RunProblem } from './listRunFolders.ts';
import type { TrendPoint } from './readPoints.ts';

/** Points in order of time, each once. */
export interface CheckedPoints {
  readonly points: readonly TrendPoint[];
  readonly problems: readonly RunProblem[];
  readonly notes: readonly string[];
}

/** If at most this share of runs is earlier than the run before it by name, the clock was probably wrong. */
const MAX_DESCENT_SHARE = 0.1;

/** Orders points by time, omits runs that are there twice, and lists doubts about their times. */
export function checkPoints(points: readonly TrendPoint[]): CheckedPoints {
  const { unique, problems } = omitRepeatedRuns(points);
  return {
    points: [...unique].sort((a, b) => (a.start.ns < b.start.ns ? -1 : a.start.ns > b.start.ns ? 1 : 0)),
    problems,
    notes: [
      ...listReversed(unique),
      ...listDescents(unique),
      ...listLocalTimes(unique),
      ...listWithoutClient(unique),
    ],
  };
}

function omitRepeatedRuns(points: readonly TrendPoint[]): {
  readonly unique: readonly TrendPoint[];
  readonly problems: readonly RunProblem[];
} {
  const byIdentity = new Map<string, TrendPoint>();
  const problems: RunProblem[] = [];
  for (const point of points) {
    const known = byIdentity.get(point.identity);
    if (known) problems.push({ path: point.path, reason: `the same run as ${known.path}` });
    else byIdentity.set(point.identity, point);
  }
  return { unique: [...byIdentity.values()], problems };
}

function listReversed(points: readonly TrendPoint[]): string[] {
  return points
    .filter(({ start }) => start.isReversed)
    .map(({ path }) => `${path} ends before it starts: its clock was set back during the run`);
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Lists runs that start before the run that precedes them by name, if this is rare. */
function listDescents(points: readonly TrendPoint[]): string[] {
  const descents = points.slice(1).flatMap((point, i) => {
    const previous = points[i]!;
    return point.start.ns < previous.start.ns && compare(previous.path, point.path) < 0
      ? [
          `${point.path} starts before ${previous.path}, which precedes it by name: a clock may be wrong; runs are in order of their start times`,
        ]
      : [];
  });
  return descents.length <= Math.max(1, MAX_DESCENT_SHARE * points.length) ? descents : [];
}

function listLocalTimes(points: readonly TrendPoint[]): string[] {
  const count = points.filter(({ start }) => start.isLocal).length;
  if (count === 0) return [];
  const runs = count === 1 ? '1 run has a start time' : `${count} runs have start times`;
  return [`${runs} without a time zone, which is read as UTC`];
}

function listWithoutClient(points: readonly TrendPoint[]): string[] {
  return points
    .filter(({ hasClient }) => !hasClient)
    .map(({ path }) => `${path} has no client data: only its server metrics are part of the trend`);
}
