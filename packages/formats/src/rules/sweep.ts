import { stringifyJson } from '../json/jsonWriter.ts';
import type { Path } from '../json/path.ts';
import { checkServerStatistics, checkStatistic } from './aggregate.ts';
import type { Report } from './findings.ts';
import { checkRunValues } from './profileValues.ts';
import { checkRunCounts } from './runs.ts';
import {
  asArray,
  getField,
  getNumber,
  getObject,
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
      checkStatistic(report, blockPath, block, runs);
      checkRunValues(report, blockPath, name, block);
    }
    checkServerStatistics(report, variation, path, runs);
  }
}

/** Checks the number of variations and their run counts, and that each combination of parameters occurs once. */
function checkCombinations(report: Report, document: Values): void {
  const variations = listObjectItems(document, 'per_combination_metrics', []);
  const statedCount = getNumber(getObject(document, 'metadata') ?? {}, 'num_combinations');
  if (statedCount !== undefined && statedCount !== variations.length)
    report(
      'sweep-combinations',
      ['metadata', 'num_combinations'],
      `is ${statedCount}, but per_combination_metrics has ${variations.length} entries`,
      statedCount,
    );
  checkSuccesses(report, document, variations);
  const combinations = new Set<string>();
  for (const [variation, path] of variations)
    combinations.add(checkRepeated(report, variation, path, combinations));
  asArray(getField(document, 'pareto_optimal')).forEach((parameters, index) => {
    if (combinations.has(stringifyJson(parameters))) return;
    const message = `is ${stringifyJson(parameters)}, but no variation has these parameters`;
    report('sweep-combinations', ['pareto_optimal', index], message);
  });
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
  combinations: ReadonlySet<string>,
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
