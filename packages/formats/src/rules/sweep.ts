import { stringifyJson } from '../json/jsonWriter.ts';
import type { Path } from '../json/path.ts';
import { checkFigure, checkServerFigures } from './aggregate.ts';
import type { Report } from './findings.ts';
import { checkRunCounts } from './runs.ts';
import { asArray, field, numberAt, objectAt, objectItems, objectsIn, type Values } from './values.ts';

/** What a schema cannot say about a sweep. Reference, section B7. */
export function checkSweep(report: Report, document: Values): void {
  checkRunCounts(report, document, []);
  checkCombinations(report, document);
  for (const [variation, path] of objectItems(document, 'per_combination_metrics', [])) {
    const runs = numberAt(variation, 'num_successful_runs');
    for (const [, block, blockPath] of objectsIn(objectAt(variation, 'metrics'), [...path, 'metrics']))
      checkFigure(report, blockPath, block, runs);
    checkServerFigures(report, variation, path, runs);
  }
}

/** There are as many variations as the metadata says, their runs are those that succeeded, and each stands once. */
function checkCombinations(report: Report, document: Values): void {
  const variations = objectItems(document, 'per_combination_metrics', []);
  const stated = numberAt(objectAt(document, 'metadata') ?? {}, 'num_combinations');
  if (stated !== undefined && stated !== variations.length)
    report(
      'sweep-combinations',
      ['metadata', 'num_combinations'],
      `is ${stated}, but per_combination_metrics has ${variations.length} entries`,
      stated,
    );
  checkSuccesses(report, document, variations);
  const known = new Set<string>();
  for (const [variation, path] of variations) known.add(once(report, variation, path, known));
  asArray(field(document, 'pareto_optimal')).forEach((parameters, index) => {
    if (known.has(stringifyJson(parameters))) return;
    const message = `is ${stringifyJson(parameters)}, which are the parameters of no variation`;
    report('sweep-combinations', ['pareto_optimal', index], message);
  });
}

function checkSuccesses(report: Report, document: Values, variations: readonly [Values, Path][]): void {
  const counts = variations.map(([variation]) => numberAt(variation, 'num_successful_runs'));
  const stated = numberAt(document, 'num_successful_runs');
  if (stated === undefined || counts.includes(undefined)) return;
  const total = counts.reduce<number>((sum, count) => sum + count!, 0);
  if (total === stated) return;
  const message = `is ${stated}, but the variations have ${total}`;
  report('runs-count', ['num_successful_runs'], message, stated);
}

function once(report: Report, variation: Values, path: Path, known: ReadonlySet<string>): string {
  const key = stringifyJson(field(variation, 'parameters'));
  if (known.has(key))
    report('sweep-combinations', [...path, 'parameters'], `is ${key} again; a combination stands once`);
  return key;
}
