import { stringifyJson } from '../json/jsonWriter.ts';
import type { Path } from '../json/path.ts';
import { checkFigure, checkServerFigures } from './aggregate.ts';
import type { Report } from './findings.ts';
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
    for (const [, block, blockPath] of listObjects(getObject(variation, 'metrics'), [...path, 'metrics']))
      checkFigure(report, blockPath, block, runs);
    checkServerFigures(report, variation, path, runs);
  }
}

/** Checks the number of variations, their run counts, and that each combination of parameters occurs once. */
function checkCombinations(report: Report, document: Values): void {
  const variations = listObjectItems(document, 'per_combination_metrics', []);
  const stated = getNumber(getObject(document, 'metadata') ?? {}, 'num_combinations');
  if (stated !== undefined && stated !== variations.length)
    report(
      'sweep-combinations',
      ['metadata', 'num_combinations'],
      `is ${stated}, but per_combination_metrics has ${variations.length} entries`,
      stated,
    );
  checkSuccesses(report, document, variations);
  const known = new Set<string>();
  for (const [variation, path] of variations) known.add(checkRepeated(report, variation, path, known));
  asArray(getField(document, 'pareto_optimal')).forEach((parameters, index) => {
    if (known.has(stringifyJson(parameters))) return;
    const message = `is ${stringifyJson(parameters)}, but no variation has these parameters`;
    report('sweep-combinations', ['pareto_optimal', index], message);
  });
}

function checkSuccesses(report: Report, document: Values, variations: readonly [Values, Path][]): void {
  const counts = variations.map(([variation]) => getNumber(variation, 'num_successful_runs'));
  const stated = getNumber(document, 'num_successful_runs');
  if (stated === undefined || counts.includes(undefined)) return;
  const total = counts.reduce<number>((sum, count) => sum + count!, 0);
  if (total === stated) return;
  const message = `is ${stated}, but the variations have ${total} successful runs`;
  report('runs-count', ['num_successful_runs'], message, stated);
}

/** Returns the parameters of a variation as a key, and reports them if the key is known. */
function checkRepeated(report: Report, variation: Values, path: Path, known: ReadonlySet<string>): string {
  const key = stringifyJson(getField(variation, 'parameters'));
  if (known.has(key))
    report(
      'sweep-combinations',
      [...path, 'parameters'],
      `is ${key}, which is already listed; each combination must occur once`,
    );
  return key;
}
