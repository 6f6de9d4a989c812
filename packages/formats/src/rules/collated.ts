import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkPercentileOrder } from './histogram.ts';
import { checkRuns } from './runs.ts';
import { getRoundingError, isNear } from './tolerance.ts';
import {
  findRepeated,
  getNumber,
  getObject,
  getText,
  listNumbers,
  listObjectItems,
  listObjects,
  type Values,
} from './values.ts';

/** Checks constraints on a collated export of several runs that JSON Schema cannot express. */
export function checkCollated(report: Report, document: Values): void {
  checkRuns(report, document);
  for (const [, metric, path] of listObjects(getObject(document, 'metrics'), ['metrics'])) {
    const combined = getObject(metric, 'combined');
    if (!combined) continue;
    checkPercentileOrder(report, [...path, 'combined'], listNumbers(combined, ['p50', 'p90', 'p95', 'p99']));
    checkRunStats(report, path, metric, combined);
  }
}

/** Checks that the counts of the runs add up and that the combined mean is their weighted mean. */
function checkRunStats(report: Report, path: Path, metric: Values, combined: Values): void {
  const runs = listObjectItems(metric, 'per_run', path);
  const labels = runs.map(([run]) => getText(run, 'label'));
  const repeated = findRepeated(labels);
  if (repeated !== -1)
    report(
      'runs-repeated',
      [...path, 'per_run', repeated, 'label'],
      `is ${labels[repeated]}, which is already listed; each run must occur once`,
      labels[repeated],
    );
  const counts = runs.map(([run]) => getNumber(run, 'count') ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const count = getNumber(combined, 'count');
  if (count !== undefined && count !== total)
    report(
      'collated-count',
      [...path, 'combined', 'count'],
      `is ${count}, but the counts in per_run add up to ${total}`,
      count,
    );
  else if (total > 0) checkMean(report, path, runs, combined, total);
}

/** Checks that the combined mean is the mean of the runs, weighted by their counts. */
function checkMean(
  report: Report,
  path: Path,
  runs: readonly [Values, Path][],
  combined: Values,
  total: number,
): void {
  const mean = getNumber(combined, 'mean');
  const runStats = runs.map(([run]) => [getNumber(run, 'mean'), getNumber(run, 'count') ?? 0] as const);
  if (mean === undefined || runStats.some(([runMean]) => runMean === undefined)) return;
  const expected = runStats.reduce((sum, [runMean, count]) => sum + (runMean! * count) / total, 0);
  const slack = Math.max(...runStats.map(([runMean]) => getRoundingError(runMean!)));
  if (isNear(mean, expected, slack)) return;
  report(
    'collated-mean',
    [...path, 'combined', 'mean'],
    `is ${mean}, but the mean of the runs, weighted by their counts, is ${expected}`,
    mean,
  );
}
