import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkSpread } from './gauge.ts';
import { checkRuns } from './runs.ts';
import { atMost, near, rounding } from './tolerance.ts';
import { numberAt, objectAt, objectItems, objectsIn, type Values } from './values.ts';

/** What a schema cannot say about the aggregate of several runs. Seed 004; reference, section B7. */
export function checkAggregate(report: Report, document: Values): void {
  checkRuns(report, document);
  const runs = numberAt(objectAt(document, 'metadata') ?? {}, 'num_successful_runs');
  for (const [, block, path] of objectsIn(objectAt(document, 'metrics'), ['metrics']))
    checkFigure(report, path, block, runs);
  checkServerFigures(report, document, [], runs);
}

/** One statistic over `runs` runs. A block may say that fewer have it. */
export function checkFigure(report: Report, path: Path, block: Values, runs: number | undefined): void {
  checkRange(report, path, block);
  checkSpread(report, path, block);
  checkFormulas(report, path, block, numberAt(block, 'num_runs') ?? runs);
}

/** The same of what the servers said. */
export function checkServerFigures(
  report: Report,
  holder: Values,
  path: Path,
  runs: number | undefined,
): void {
  const metrics = objectsIn(objectAt(holder, 'server_metrics'), [...path, 'server_metrics']);
  for (const [, metric, metricPath] of metrics)
    for (const [series, seriesPath] of objectItems(metric, 'series', metricPath))
      for (const [, block, blockPath] of objectsIn(objectAt(series, 'stats'), [...seriesPath, 'stats']))
        checkFigure(report, blockPath, block, runs);
}

/** min <= mean <= max, and the interval holds the mean. */
function checkRange(report: Report, path: Path, block: Values): void {
  const mean = numberAt(block, 'mean');
  if (mean === undefined) return;
  const slack = rounding(mean);
  const ends = [
    ['gauge-average', 'min', 'max'],
    ['aggregate-interval', 'ci_low', 'ci_high'],
  ] as const;
  for (const [rule, lowKey, highKey] of ends) {
    const [low, high] = [numberAt(block, lowKey), numberAt(block, highKey)];
    if (low === undefined || high === undefined) continue;
    if (atMost(low, mean + slack) && atMost(mean, high + slack)) continue;
    report(
      rule,
      [...path, 'mean'],
      `is ${mean}, outside of ${lowKey} (${low}) and ${highKey} (${high})`,
      mean,
    );
  }
}

/** cv = std / mean, se = std / √n, and the interval reaches t_critical standard errors to either side. */
function checkFormulas(report: Report, path: Path, block: Values, runs: number | undefined): void {
  const [mean, std, se, t] = ['mean', 'std', 'se', 't_critical'].map(key => numberAt(block, key));
  const compare = (key: string, expected: number | undefined, formula: string, slack = 0): void => {
    const found = numberAt(block, key);
    if (found === undefined || expected === undefined || !Number.isFinite(expected)) return;
    if (near(found, expected, Math.abs(expected) * 0.001 + slack)) return;
    report('aggregate-formula', [...path, key], `is ${found}, but ${formula} is ${expected}`, found);
  };
  const cv = std !== undefined && mean ? std / mean : undefined;
  // Some take the amount of the mean.
  compare('cv', cv !== undefined && (numberAt(block, 'cv') ?? 0) > 0 ? Math.abs(cv) : cv, 'std / mean');
  compare('se', std !== undefined && runs ? std / Math.sqrt(runs) : undefined, 'std / √num_successful_runs');
  if (mean === undefined || se === undefined || t === undefined) return;
  // A mean or half width that was rounded moves the ends by as much.
  const slack = rounding(mean) + rounding(se) * t + rounding(t) * se;
  compare('ci_low', mean - t * se, 'mean − t_critical × se', slack);
  compare('ci_high', mean + t * se, 'mean + t_critical × se', slack);
}
