import { listSeries, type Run, type RunSeries } from '@org/analysis';
import type { Family, Labels, Point } from './batch.ts';
import { METRICS } from './definition.ts';

/** Maximum number of points that are sent in one request. */
export const MAX_BATCH_POINTS = 2000;

/** Labels of statistics, which labels of a server must not replace. */
const OWN_LABELS: ReadonlySet<string> = new Set(['metric', 'statistic', 'unit', 'endpoint', 'run_id']);

/** Iterates over the statistics of a run that has ended, in parts of at most `MAX_BATCH_POINTS` points. */
export function* listStatistics(run: Pick<Run, 'families'>): Generator<Family[]> {
  let client: Point[] = [];
  let server: Point[] = [];
  for (const series of listSeries(run)) {
    (series.type === 'client' ? client : server).push(...toPoints(series));
    if (client.length + server.length < MAX_BATCH_POINTS) continue;
    yield createFamilies(client, server);
    client = [];
    server = [];
  }
  if (client.length + server.length > 0) yield createFamilies(client, server);
}

/** Counts the statistics of a run that has ended. */
export function countStatistics(run: Pick<Run, 'families'>): number {
  let points = 0;
  for (const { stats } of listSeries(run)) points += Object.values(stats).filter(isKnown).length;
  return points;
}

function createFamilies(client: readonly Point[], server: readonly Point[]): Family[] {
  return [
    { definition: METRICS.clientResult, points: client },
    { definition: METRICS.serverResult, points: server },
  ].filter(({ points }) => points.length > 0);
}

function toPoints({ name, type, unit, endpoint, labels, stats }: RunSeries): Point[] {
  const common = {
    ...(type === 'client' ? {} : { ...renameLabels(labels), endpoint }),
    metric: name,
    ...(unit === null ? {} : { unit }),
  };
  return Object.entries(stats)
    .filter(([, value]) => isKnown(value))
    .map(([statistic, value]) => ({ labels: { ...common, statistic }, value: value! }));
}

function isKnown(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Adds a prefix to labels of a server that have the name of a label of statistics, as Prometheus does. */
function renameLabels(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [OWN_LABELS.has(name) ? `exported_${name}` : name, value]),
  );
}
