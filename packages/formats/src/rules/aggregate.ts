import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkSpread } from './gauge.ts';
import { checkRuns } from './runs.ts';
import { getRoundingError, isAtMost, isNear } from './tolerance.ts';
import { getNumber, getObject, listObjectItems, listObjects, type Values } from './values.ts';

/** Checks constraints on the aggregate of several runs that JSON Schema cannot express. */
export function checkAggregate(report: Report, document: Values): void {
  checkRuns(report, document);
  const runs = getNumber(getObject(document, 'metadata') ?? {}, 'num_successful_runs');
  for (const [, block, path] of listObjects(getObject(document, 'metrics'), ['metrics']))
    checkFigure(report, path, block, runs);
  checkServerFigures(report, document, [], runs);
}

/** Checks one statistic over `runs` runs, or over fewer if the block states `num_runs`. */
export function checkFigure(report: Report, path: Path, block: Values, runs: number | undefined): void {
  checkRange(report, path, block);
  checkSpread(report, path, block);
  checkFormulas(report, path, block, getNumber(block, 'num_runs') ?? runs);
}

/** Checks the statistics of the server metrics. */
export function checkServerFigures(
  report: Report,
  holder: Values,
  path: Path,
  runs: number | undefined,
): void {
  const metrics = listObjects(getObject(holder, 'server_metrics'), [...path, 'server_metrics']);
  for (const [, metric, metricPath] of metrics)
    for (const [series, seriesPath] of listObjectItems(metric, 'series', metricPath))
      for (const [, block, blockPath] of listObjects(getObject(series, 'stats'), [...seriesPath, 'stats']))
        checkFigure(report, blockPath, block, runs);
}

/** Checks that the mean is between min and max, and within the confidence interval. */
function checkRange(report: Report, path: Path, block: Values): void {
  const mean = getNumber(block, 'mean');
  if (mean === undefined) return;
  const slack = getRoundingError(mean);
  const ends = [
    ['gauge-average', 'min', 'max'],
    ['aggregate-interval', 'ci_low', 'ci_high'],
  ] as const;
  for (const [rule, lowKey, highKey] of ends) {
    const [low, high] = [getNumber(block, lowKey), getNumber(block, highKey)];
    if (low === undefined || high === undefined) continue;
    if (isAtMost(low, mean + slack) && isAtMost(mean, high + slack)) continue;
    report(
      rule,
      [...path, 'mean'],
      `is ${mean}, not between ${lowKey} (${low}) and ${highKey} (${high})`,
      mean,
    );
  }
}

/** Checks cv = std / mean, se = std / √n, and the confidence interval mean ± t_critical × se. */
function checkFormulas(report: Report, path: Path, block: Values, runs: number | undefined): void {
  const [mean, std, se, t] = ['mean', 'std', 'se', 't_critical'].map(key => getNumber(block, key));
  const compare = (key: string, expected: number | undefined, formula: string, slack = 0): void => {
    const found = getNumber(block, key);
    if (found === undefined || expected === undefined || !Number.isFinite(expected)) return;
    if (isNear(found, expected, Math.abs(expected) * 0.001 + slack)) return;
    report('aggregate-formula', [...path, key], `is ${found}, but ${formula} is ${expected}`, found);
  };
  const cv = std !== undefined && mean ? std / mean : undefined;
  // Some writers divide by the absolute value of the mean.
  compare('cv', cv !== undefined && (getNumber(block, 'cv') ?? 0) > 0 ? Math.abs(cv) : cv, 'std / mean');
  compare('se', std !== undefined && runs ? std / Math.sqrt(runs) : undefined, 'std / √num_successful_runs');
  if (mean === undefined || se === undefined || t === undefined) return;
  // The rounding of the mean, se and t shifts the ends of the interval.
  const slack = getRoundingError(mean) + getRoundingError(se) * t + getRoundingError(t) * se;
  compare('ci_low', mean - t * se, 'mean − t_critical × se', slack);
  compare('ci_high', mean + t * se, 'mean + t_critical × se', slack);
}
