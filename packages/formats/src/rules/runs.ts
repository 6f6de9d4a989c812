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

/** Checks that successful and failed runs add up to the number of runs, and that each run is listed once. */
export function checkRuns(report: Report, document: Values): void {
  const metadata = getObject(document, 'metadata');
  if (metadata) checkRunCounts(report, metadata, ['metadata']);
}

/** Checks the run counts and labels of one object; see `checkRuns`. */
export function checkRunCounts(report: Report, metadata: Values, path: Path): void {
  const total = getNumber(metadata, 'num_profile_runs');
  const successful = getNumber(metadata, 'num_successful_runs');
  const failed = Array.isArray(getField(metadata, 'failed_runs'))
    ? asArray(metadata.failed_runs).length
    : undefined;
  if (
    total !== undefined &&
    successful !== undefined &&
    failed !== undefined &&
    successful + failed !== total
  )
    report(
      'runs-count',
      [...path, 'num_profile_runs'],
      `is ${total}, but there are ${successful} successful and ${failed} failed runs`,
      total,
    );
  checkLabels(report, path, metadata, successful);
}

/** Checks that `run_labels` has one label per successful run, and that no run is listed twice. */
function checkLabels(report: Report, path: Path, metadata: Values, successful: number | undefined): void {
  const labels = asArray(getField(metadata, 'run_labels')).map(label =>
    typeof label === 'string' ? label : undefined,
  );
  if (Object.hasOwn(metadata, 'run_labels') && successful !== undefined && labels.length !== successful)
    report(
      'runs-count',
      [...path, 'run_labels'],
      `has length ${labels.length}, but num_successful_runs is ${successful}`,
      labels.length,
    );
  // In AIPerf's sweeps, runs of different variations have the same label.
  const isAmbiguous = getText(metadata, 'aggregation_type') === 'sweep';
  const failedLabels = listObjectItems(metadata, 'failed_runs', [])
    .map(([run]) => getText(run, 'label'))
    .filter(label => !isAmbiguous || label?.includes('/'));
  const allLabels = [...labels, ...failedLabels];
  const repeated = allLabels[findRepeated(allLabels)];
  if (repeated !== undefined)
    report(
      'runs-repeated',
      [...path, labels.includes(repeated) ? 'run_labels' : 'failed_runs'],
      labels.includes(repeated) && failedLabels.includes(repeated)
        ? `contains ${repeated}, which failed_runs contains as well; expected each run once`
        : `contains ${repeated} twice; expected each run once`,
      repeated,
    );
}
