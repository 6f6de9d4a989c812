import type { SweepMetric } from '../generated/profileSweep.ts';
import { stringifyJson } from '../json/jsonWriter.ts';
import type { Path } from '../json/path.ts';
import { flattenSweepMetrics, hasUnknownMean } from '../json/sweepMetrics.ts';
import { checkServerStatistics, checkStatistic } from './aggregate.ts';
import type { Report } from './findings.ts';
import { checkRunValues } from './profileValues.ts';
import { checkRunCounts } from './runs.ts';
import { isNear } from './tolerance.ts';
import {
  asArray,
  getField,
  getNumber,
  getObject,
  getText,
  listObjectItems,
  listObjects,
  type Values,
} from './values.ts';

/** Checks constraints on a sweep that JSON Schema cannot express. */
export function checkSweep(report: Report, document: Values): void {
  checkRunCounts(report, document, []);
  checkCombinations(report, document);
  for (const [variation, path] of listObjectItems(document, 'per_combination_metrics', [])) {
    const runs = getNumber(variation, 'num_successful_runs');
    for (const [name, block, blockPath] of listObjects(getObject(variation, 'metrics'), [
      ...path,
      'metrics',
    ])) {
      if (!hasUnknownMean(name, block)) checkStatistic(report, blockPath, block, runs);
      checkRunValues(report, blockPath, name, block);
    }
    checkServerStatistics(report, variation, path, runs);
  }
}

/** Checks the number of variations and their run counts, and that each combination of parameters occurs once. */
function checkCombinations(report: Report, document: Values): void {
  const variations = listObjectItems(document, 'per_combination_metrics', []);
  checkCount(report, document, variations.length);
  checkSuccesses(report, document, variations);
  const combinations = new Map<string, Values>();
  for (const [variation, path] of variations)
    combinations.set(checkRepeated(report, variation, path, combinations), variation);
  checkBest(report, document, combinations);
  asArray(getField(document, 'pareto_optimal')).forEach((parameters, index) => {
    if (combinations.has(stringifyJson(parameters))) return;
    const message = `is ${stringifyJson(parameters)}, but no variation has these parameters`;
    report('sweep-combinations', ['pareto_optimal', index], message);
  });
}

/**
 * Checks the number of combinations. Variations may be missing: AIPerf omits those without a successful run, and an
 * interrupted sweep has run only some. Then, earlier versions of Servelens stated the number of variations.
 */
function checkCount(report: Report, document: Values, variations: number): void {
  const metadata = getObject(document, 'metadata') ?? {};
  const statedCount = getNumber(metadata, 'num_combinations');
  if (statedCount === undefined) return;
  const isAiperf = getText(document, 'schema_version') === undefined;
  const gridSize = computeGridSize(metadata);
  if (statedCount === gridSize && statedCount >= variations) return;
  if (statedCount === variations && statedCount < gridSize && !isAiperf) return;
  const reason =
    statedCount < variations
      ? `per_combination_metrics has ${variations} entries`
      : `the values of sweep_parameters have ${gridSize} combinations`;
  report(
    'sweep-combinations',
    ['metadata', 'num_combinations'],
    `is ${statedCount}, but ${reason}`,
    statedCount,
  );
}

/** Computes the number of combinations of the values of all parameters. */
function computeGridSize(metadata: Values): number {
  return listObjectItems(metadata, 'sweep_parameters', []).reduce(
    (size, [parameter]) => size * asArray(getField(parameter, 'values')).length,
    1,
  );
}

/** Checks that each best configuration is a variation, and that its value is a mean of this variation. */
function checkBest(report: Report, document: Values, combinations: ReadonlyMap<string, Values>): void {
  for (const [, best, path] of listObjects(getObject(document, 'best_configurations'), [
    'best_configurations',
  ])) {
    const parameters = stringifyJson(getField(best, 'parameters'));
    const variation = combinations.get(parameters);
    if (!variation) {
      const message = `is ${parameters}, but no variation has these parameters`;
      report('sweep-best', [...path, 'parameters'], message);
      continue;
    }
    const value = getNumber(best, 'metric');
    const means = listMeans(variation, getText(best, 'metric_name'));
    if (value !== undefined && !means.some(mean => isNear(value, mean)))
      report('sweep-best', [...path, 'metric'], `is ${value}, which is no mean of this variation`, value);
  }
}

/** Lists the means of a variation: of the named metric, or of all metrics. */
function listMeans(variation: Values, name: string | undefined): readonly number[] {
  const metrics = flattenSweepMetrics((getObject(variation, 'metrics') ?? {}) as Record<string, SweepMetric>);
  const blocks =
    name === undefined
      ? listObjects(metrics as object as Values, []).map(([, block]) => block)
      : [getObject(metrics as object as Values, name)];
  return blocks.flatMap(block => (block && getNumber(block, 'mean')) ?? []);
}

/** Checks that the successful runs of all variations add up to the sweep's count. */
function checkSuccesses(report: Report, document: Values, variations: readonly [Values, Path][]): void {
  const counts = variations.map(([variation]) => getNumber(variation, 'num_successful_runs'));
  const statedCount = getNumber(document, 'num_successful_runs');
  if (statedCount === undefined || counts.includes(undefined)) return;
  const total = counts.reduce<number>((sum, count) => sum + count!, 0);
  if (total === statedCount) return;
  const message = `is ${statedCount}, but the variations have ${total} successful runs`;
  report('runs-count', ['num_successful_runs'], message, statedCount);
}

/** Reports a variation whose parameters are already in `combinations`. Returns the parameters as a key. */
function checkRepeated(
  report: Report,
  variation: Values,
  path: Path,
  combinations: ReadonlyMap<string, Values>,
): string {
  const key = stringifyJson(getField(variation, 'parameters'));
  if (combinations.has(key))
    report(
      'sweep-combinations',
      [...path, 'parameters'],
      `is ${key}, which is already listed; each combination must occur once`,
    );
  return key;
}
