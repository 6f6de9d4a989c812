import type { OpenOptions } from '../run/openRun.ts';
import { findChanges, type SeriesChanges } from './changePoints.ts';
import { checkPoints } from './checkPoints.ts';
import { groupPoints, type PointGroup } from './groupPoints.ts';
import { listRunFolders } from './listRunFolders.ts';
import { readPoints, type TrendPoint, toKey } from './readPoints.ts';
import type { Figure, FigureName } from './runFigures.ts';
import type { ChangeVerdict, MetricTrend, RunTrend, TrendGroup } from './runTrend.ts';
import { listSettingChanges } from './settingChanges.ts';
import { resolveTrendSettings, type TrendOptions, type TrendSettings } from './settings.ts';

/** Finds the change points of the key metrics over runs. Runs that cannot be used become problems. */
export async function analyzeTrend(
  paths: readonly string[],
  options: TrendOptions = {},
  open: OpenOptions = {},
): Promise<RunTrend> {
  const settings = resolveTrendSettings(options);
  const listed = await listRunFolders(paths);
  const read = await readPoints(listed.sources, open, settings.ignoredSettings);
  const { points, problems, notes } = checkPoints(read.points);
  const groups = groupPoints(points).map(group => buildGroup(group, settings));
  return {
    groups: groups.sort((a, b) => (a.runs.at(-1)!.startNs < b.runs.at(-1)!.startNs ? 1 : -1)),
    problems: [...listed.problems, ...read.problems, ...problems],
    notes,
    settings,
    minTotalRuns: 2 * settings.minRuns,
  };
}

function buildGroup({ workload, points }: PointGroup, settings: TrendSettings): TrendGroup {
  const { changes, varying } = listSettingChanges(points.map(({ environment }) => environment));
  const series = listNames(points).map(name => readSeries(name, points));
  const tested = series.filter(({ indices }) => indices.length >= 2 * settings.minRuns);
  const found = findChanges(
    tested.map(({ indices, values }) => indices.map(index => values[index]!)),
    settings,
  );
  const changesOf = new Map(tested.map((entry, i) => [entry, found.series[i]]));
  return {
    workload,
    runs: points.map(({ path, start, repeats, hasClient }) => ({
      path,
      startNs: start.ns,
      isLocalTime: start.isLocal,
      repeats,
      hasClient,
    })),
    settingChanges: changes,
    varyingSettings: varying,
    metrics: series.map(entry => toMetricTrend(entry, changesOf.has(entry), changesOf.get(entry))),
    tested: found.tested,
    level: found.level,
  };
}

/** Lists the figures of all points: first the client's, then in the order of summaries. */
function listNames(points: readonly TrendPoint[]): FigureName[] {
  const names = new Map<string, FigureName>();
  for (const { figures } of points)
    for (const [key, { value: _, spread: __, ...name }] of figures) if (!names.has(key)) names.set(key, name);
  const isServer = ({ type }: FigureName): number => Number(type !== 'client');
  return [...names.values()].sort((a, b) => isServer(a) - isServer(b));
}

/** The values of a statistic over the runs of a group. */
interface Series {
  readonly name: FigureName;
  readonly values: readonly (number | null)[];
  readonly figures: readonly (Figure | undefined)[];
  /** The indices of the runs that have the metric. */
  readonly indices: readonly number[];
}

function readSeries(name: FigureName, points: readonly TrendPoint[]): Series {
  const key = toKey(name);
  const figures = points.map(point => point.figures.get(key));
  return {
    name,
    figures,
    values: figures.map(figure => figure?.value ?? null),
    indices: figures.flatMap((figure, i) => (figure ? [i] : [])),
  };
}

function toMetricTrend(
  { name, values, figures, indices }: Series,
  wasTested: boolean,
  changes: SeriesChanges | undefined,
): MetricTrend {
  const { points = [], drift } = changes ?? {};
  return {
    ...name,
    values,
    spreads: figures.map(figure => figure?.spread ?? null),
    known: indices.length,
    state: !wasTested ? 'too few runs' : changes === undefined ? 'constant' : 'tested',
    changes: points.map(({ at, p, before, after }) => ({
      before: indices[at - 1]!,
      after: indices[at]!,
      p,
      from: before,
      to: after,
      ...assess(name, before.mean, after.mean),
    })),
    drift: drift ? { ...drift, ...assess(name, drift.from, drift.to) } : null,
  };
}

function assess(
  { better }: FigureName,
  from: number,
  to: number,
): { readonly change: number | null; readonly verdict: ChangeVerdict } {
  return {
    change: from === 0 ? null : (to - from) / Math.abs(from),
    verdict: better === 'neither' ? 'changed' : to > from === (better === 'higher') ? 'better' : 'worse',
  };
}
