import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkSpread } from './gauge.ts';
import { checkRunValues } from './profileValues.ts';
import { checkRuns } from './runs.ts';
import { getRoundingError, isAtMost, isNear } from './tolerance.ts';
import { getField, getNumber, getObject, listObjectItems, listObjects, type Values } from './values.ts';

/** Checks constraints on the aggregate of several runs that JSON Schema cannot express. */
export function checkAggregate(report: Report, document: Values): void {
  checkRuns(report, document);
  const runs = getNumber(getObject(document, 'metadata') ?? {}, 'num_successful_runs');
  for (const [name, block, path] of listObjects(getObject(document, 'metrics'), ['metrics'])) {
    checkStatistic(report, path, block, runs);
    checkRunValues(report, path, name, block);
  }
  checkServerStatistics(report, document, [], runs);
}

/** Checks the statistics of one metric over `runs` runs, or over `num_runs` if the block states it. */
export function checkStatistic(report: Report, path: Path, block: Values, runs: number | undefined): void {
  checkRanges(report, path, block);
  checkSpread(report, path, block);
  checkFormulas(report, path, block, getNumber(block, 'num_runs') ?? runs);
}

/** Checks the statistics of all server metrics of a document or variation. */
export function checkServerStatistics(
  report: Report,
  owner: Values,
  path: Path,
  runs: number | undefined,
): void {
  const metrics = listObjects(getObject(owner, 'server_metrics'), [...path, 'server_metrics']);
  for (const [, metric, metricPath] of metrics)
    for (const [series, seriesPath] of listObjectItems(metric, 'series', metricPath))
      for (const [, block, blockPath] of listObjects(getObject(series, 'stats'), [...seriesPath, 'stats']))
        checkStatistic(report, blockPath, block, runs);
}

/** Checks that the mean is between min and max, and within the confidence interval. */
export function checkRanges(report: Report, path: Path, block: Values): void {
  const mean = getNumber(block, 'mean');
  if (mean === undefined) return;
  const slack = getRoundingError(mean);
  const intervals = [
    ['gauge-average', 'min', 'max'],
    ['aggregate-interval', 'ci_low', 'ci_high'],
  ] as const;
  for (const [rule, lowKey, highKey] of intervals) {
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

/** Checks the formulas cv = std / mean, se = std / √n, and ci_low and ci_high = mean ± t_critical × se. */
function checkFormulas(report: Report, path: Path, block: Values, runs: number | undefined): void {
  const [mean, std, se, t] = ['mean', 'std', 'se', 't_critical'].map(key => getNumber(block, key));
  const checkFormula = (key: string, expected: number | undefined, formula: string, slack = 0): void => {
    const found = getNumber(block, key);
    if (found === undefined || expected === undefined || !Number.isFinite(expected)) return;
    if (isNear(found, expected, Math.abs(expected) * 0.001 + slack)) return;
    report('aggregate-formula', [...path, key], `is ${found}, but ${formula} is ${expected}`, found);
  };
  const cv = std !== undefined && mean ? std / mean : undefined;
  // Some writers divide by the absolute value of the mean, so both signs are accepted.
  checkFormula('cv', cv !== undefined && (getNumber(block, 'cv') ?? 0) > 0 ? Math.abs(cv) : cv, 'std / mean');
  if (getField(block, 'cv') === null && mean !== undefined && mean !== 0)
    report('aggregate-formula', [...path, 'cv'], `is infinite, but the mean is ${mean}, not 0`, null);
  checkFormula(
    'se',
    std !== undefined && runs ? std / Math.sqrt(runs) : undefined,
    'std / √num_successful_runs',
  );
  if (mean === undefined || se === undefined || t === undefined) return;
  // The mean, se and t are rounded, which shifts the ends of the interval.
  const slack = getRoundingError(mean) + getRoundingError(se) * t + getRoundingError(t) * se;
  checkFormula('ci_low', mean - t * se, 'mean − t_critical × se', slack);
  checkFormula('ci_high', mean + t * se, 'mean + t_critical × se', slack);
}
