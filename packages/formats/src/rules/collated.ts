import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkPercentileOrder } from './histogram.ts';
import { checkRuns } from './runs.ts';
import { near, rounding } from './tolerance.ts';
import {
  numberAt,
  numbersAt,
  objectAt,
  objectItems,
  objectsIn,
  repeatedAt,
  textAt,
  type Values,
} from './values.ts';

/** What a schema cannot say about the collated requests of several runs. Seed 004; reference, section B7. */
export function checkCollated(report: Report, document: Values): void {
  checkRuns(report, document);
  for (const [, metric, path] of objectsIn(objectAt(document, 'metrics'), ['metrics'])) {
    const combined = objectAt(metric, 'combined');
    if (!combined) continue;
    checkPercentileOrder(report, [...path, 'combined'], numbersAt(combined, ['p50', 'p90', 'p95', 'p99']));
    checkRunStats(report, path, metric, combined);
  }
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
