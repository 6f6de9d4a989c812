import { FormatError } from '@org/formats/read';
import { estimateFromRuns } from '../compare/noise/estimate.ts';
import { max, mean, min } from '../math.ts';
import { RunError } from '../run/input.ts';
import { type OpenOptions, openRun } from '../run/openRun.ts';
import type { Run } from '../run/run.ts';
import type { RunProblem, RunSource } from './listRunFolders.ts';
import { type Figure, readFigures } from './runFigures.ts';
import { type RunConfiguration, readConfiguration } from './runSettings.ts';
import { type RunStart, readStart } from './runStart.ts';

/** A run, or repeated runs, as a point of a trend. */
export interface TrendPoint extends RunConfiguration {
  readonly path: string;
  readonly start: RunStart;
  /** The number of repeats; 1 for a single run. */
  readonly repeats: number;
  readonly hasClient: boolean;
  /** By the key of the figure. */
  readonly figures: ReadonlyMap<string, Figure>;
  /** A text that is equal for the same run in two folders. */
  readonly identity: string;
}

/** The points of a trend, and the runs that could not be read. */
export interface ReadPoints {
  readonly points: readonly TrendPoint[];
  readonly problems: readonly RunProblem[];
}

/** Reads the key metrics and settings of runs, one run at a time, so that at most one is in memory. */
export async function readPoints(
  sources: readonly RunSource[],
  open: OpenOptions,
  ignoredSettings: readonly string[],
): Promise<ReadPoints> {
  const points: TrendPoint[] = [];
  const problems: RunProblem[] = [];
  for (const { path, runs } of sources) {
    const repeats: TrendPoint[] = [];
    for (const run of runs) {
      const point = await readPoint(run, open, ignoredSettings);
      if ('reason' in point) problems.push(point);
      else repeats.push(point);
    }
    if (repeats.length > 0) points.push(combineRepeats(path, repeats));
  }
  return { points, problems };
}

async function readPoint(
  path: string,
  open: OpenOptions,
  ignoredSettings: readonly string[],
): Promise<TrendPoint | RunProblem> {
  try {
    const run = await openRun(path, { ...open, aggregatesOnly: true });
    return toPoint(path, run, ignoredSettings);
  } catch (error) {
    if (!(error instanceof RunError || error instanceof FormatError)) throw error;
    return { path, reason: error.message.split('\n')[0]! };
  }
}

function toPoint(path: string, run: Run, ignoredSettings: readonly string[]): TrendPoint | RunProblem {
  const start = readStart(run);
  if (start === undefined) return { path, reason: 'the files contain no start time' };
  if (run.wasCancelled === true) return { path, reason: 'the run was interrupted' };
  const figures = readFigures(run);
  if (figures.length === 0) return { path, reason: 'the run has no key metrics' };
  const { benchmarkId } = run;
  return {
    path,
    start,
    repeats: 1,
    hasClient: figures.some(({ type }) => type === 'client'),
    figures: new Map(figures.map(figure => [toKey(figure), figure])),
    identity: `${start.ns} ${benchmarkId ?? ''}`,
    ...readConfiguration(run, ignoredSettings),
  };
}

/** Returns a text that is equal for the same statistic in two runs. */
export function toKey({ server, metric, stat }: Pick<Figure, 'server' | 'metric' | 'stat'>): string {
  return JSON.stringify([server, metric, stat]);
}

/** Combines repeated runs into a point at the start of the first: the mean of each figure, and its spread. */
function combineRepeats(path: string, repeats: readonly TrendPoint[]): TrendPoint {
  const [first] = repeats;
  if (repeats.length === 1) return { ...first!, path };
  const keys = new Set(repeats.flatMap(({ figures }) => [...figures.keys()]));
  const figures = [...keys].map((key): [string, Figure] => {
    const members = repeats.flatMap(repeat => repeat.figures.get(key) ?? []);
    return [key, combineFigures(members)];
  });
  return {
    ...first!,
    path,
    repeats: repeats.length,
    hasClient: repeats.some(({ hasClient }) => hasClient),
    figures: new Map(figures),
  };
}

function combineFigures(members: readonly Figure[]): Figure {
  const [first] = members;
  if (members.length === 1) return first!;
  const values = members.map(({ value }) => value);
  const { deviation } = estimateFromRuns(values);
  return {
    ...first!,
    value: mean(values),
    spread: { of: 'repeats', count: values.length, std: deviation, low: min(values), high: max(values) },
  };
}
