import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import {
  asArray,
  field,
  numberAt,
  objectAt,
  objectItems,
  repeatedAt,
  textAt,
  type Values,
} from './values.ts';

/** Which runs there were adds up: those that succeeded and those that failed are all of them, each named once. */
export function checkRuns(report: Report, document: Values): void {
  const metadata = objectAt(document, 'metadata');
  if (metadata) checkRunCounts(report, metadata, ['metadata']);
}

/** The same of the object that has the counts. */
export function checkRunCounts(report: Report, metadata: Values, path: Path): void {
  const all = numberAt(metadata, 'num_profile_runs');
  const good = numberAt(metadata, 'num_successful_runs');
  const failed = Array.isArray(field(metadata, 'failed_runs'))
    ? asArray(metadata.failed_runs).length
    : undefined;
  if (all !== undefined && good !== undefined && failed !== undefined && good + failed !== all)
    report(
      'runs-count',
      [...path, 'num_profile_runs'],
      `is ${all}, but num_successful_runs and failed_runs are ${good} + ${failed}`,
      all,
    );
  checkLabels(report, path, metadata, good);
}

function checkLabels(report: Report, path: Path, metadata: Values, good: number | undefined): void {
  const labels = asArray(field(metadata, 'run_labels')).map(label =>
    typeof label === 'string' ? label : undefined,
  );
  if (Object.hasOwn(metadata, 'run_labels') && good !== undefined && labels.length !== good)
    report(
      'runs-count',
      [...path, 'run_labels'],
      `has ${labels.length} names; num_successful_runs is ${good}`,
      labels.length,
    );
  const failed = objectItems(metadata, 'failed_runs', []).map(([run]) => textAt(run, 'label'));
  const names = [...labels, ...failed];
  const repeated = names[repeatedAt(names)];
  if (repeated !== undefined)
    report(
      'runs-repeated',
      [...path, labels.includes(repeated) ? 'run_labels' : 'failed_runs'],
      `has ${repeated} twice; a run is named once, and succeeded or failed`,
      repeated,
    );
}
