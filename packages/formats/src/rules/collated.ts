import type { Path } from '../path.ts';
import type { Report } from './report.ts';
import { checkRuns } from './runs.ts';
import { firstDescent, near, rounding } from './tolerance.ts';
import { numberAt, objectAt, objectItems, objectsIn, repeatedAt, textAt, type Values } from './values.ts';

/** What a schema cannot say about the collated requests of several runs. Seed 004; reference, section B7. */
export function checkCollated(report: Report, document: Values): void {
  checkRuns(report, document);
  for (const [, metric, path] of objectsIn(objectAt(document, 'metrics'), ['metrics'])) {
    const combined = objectAt(metric, 'combined');
    if (!combined) continue;
    checkPercentiles(report, [...path, 'combined'], combined);
    checkRunStats(report, path, metric, combined);
  }
}

function checkPercentiles(report: Report, path: Path, combined: Values): void {
  const values = ['p50', 'p90', 'p95', 'p99'].flatMap(key => {
    const value = numberAt(combined, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const descent = firstDescent(values);
  if (descent)
    report(
      'percentiles-order',
      [...path, descent.after[0]],
      `is ${descent.after[1]}, less than ${descent.before[0]} (${descent.before[1]}); percentiles ascend`,
      descent.after[1],
    );
}

/** The requests of the runs are those that are combined, so counts add up and the mean is theirs. */
function checkRunStats(report: Report, path: Path, metric: Values, combined: Values): void {
  const runs = objectItems(metric, 'per_run', path);
  const labels = runs.map(([run]) => textAt(run, 'label'));
  const repeated = repeatedAt(labels);
  if (repeated !== -1)
    report(
      'runs-repeated',
      [...path, 'per_run', repeated, 'label'],
      `is ${labels[repeated]} again; a run stands once`,
      labels[repeated],
    );
  const counts = runs.map(([run]) => numberAt(run, 'count') ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const count = numberAt(combined, 'count');
  if (count !== undefined && count !== total)
    report(
      'collated-count',
      [...path, 'combined', 'count'],
      `is ${count}, but the runs of per_run have ${total}`,
      count,
    );
  else if (total > 0) checkMean(report, path, runs, combined, total);
}

function checkMean(
  report: Report,
  path: Path,
  runs: readonly [Values, Path][],
  combined: Values,
  total: number,
): void {
  const mean = numberAt(combined, 'mean');
  const parts = runs.map(([run]) => [numberAt(run, 'mean'), numberAt(run, 'count') ?? 0] as const);
  if (mean === undefined || parts.some(([part]) => part === undefined)) return;
  const expected = parts.reduce((sum, [part, count]) => sum + (part! * count) / total, 0);
  const slack = Math.max(...parts.map(([part]) => rounding(part!)));
  if (near(mean, expected, slack)) return;
  report(
    'collated-mean',
    [...path, 'combined', 'mean'],
    `is ${mean}, but the means of the runs, weighted by their counts, give ${expected}`,
    mean,
  );
}
