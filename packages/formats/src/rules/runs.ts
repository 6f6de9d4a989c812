import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import {
  asArray,
  findRepeated,
  getField,
  getNumber,
  getObject,
  getText,
  listObjectItems,
  type Values,
} from './values.ts';

/** Checks that successful and failed runs add up to all runs, and that each run is named once. */
export function checkRuns(report: Report, document: Values): void {
  const metadata = getObject(document, 'metadata');
  if (metadata) checkRunCounts(report, metadata, ['metadata']);
}

/** Checks the run counts of one object; see `checkRuns`. */
export function checkRunCounts(report: Report, metadata: Values, path: Path): void {
  const all = getNumber(metadata, 'num_profile_runs');
  const good = getNumber(metadata, 'num_successful_runs');
  const failed = Array.isArray(getField(metadata, 'failed_runs'))
    ? asArray(metadata.failed_runs).length
    : undefined;
  if (all !== undefined && good !== undefined && failed !== undefined && good + failed !== all)
    report(
      'runs-count',
      [...path, 'num_profile_runs'],
      `is ${all}, but there are ${good} successful and ${failed} failed runs`,
      all,
    );
  checkLabels(report, path, metadata, good);
}

function checkLabels(report: Report, path: Path, metadata: Values, good: number | undefined): void {
  const labels = asArray(getField(metadata, 'run_labels')).map(label =>
    typeof label === 'string' ? label : undefined,
  );
  if (Object.hasOwn(metadata, 'run_labels') && good !== undefined && labels.length !== good)
    report(
      'runs-count',
      [...path, 'run_labels'],
      `has ${labels.length} items, but num_successful_runs is ${good}`,
      labels.length,
    );
  const failed = listObjectItems(metadata, 'failed_runs', []).map(([run]) => getText(run, 'label'));
  const names = [...labels, ...failed];
  const repeated = names[findRepeated(names)];
  if (repeated !== undefined)
    report(
      'runs-repeated',
      [...path, labels.includes(repeated) ? 'run_labels' : 'failed_runs'],
      `contains ${repeated} twice; a run must be listed once, as successful or failed`,
      repeated,
    );
}
