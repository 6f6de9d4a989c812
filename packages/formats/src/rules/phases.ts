import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { checkTimestamp } from './time.ts';
import {
  findRepeated,
  getField,
  getNanoseconds,
  getNumber,
  getObject,
  getText,
  listObjectItems,
  type Values,
} from './values.ts';

/** Checks the digits and the order of the start and end of a phase. */
export function checkPhaseTimes(report: Report, path: Path, phase: Values): void {
  const [startNs, endNs] = ['start_ns', 'end_ns'].map(key => getNanoseconds(phase, key));
  if (startNs !== undefined) checkTimestamp(report, [...path, 'start_ns'], startNs);
  if (endNs !== undefined) checkTimestamp(report, [...path, 'end_ns'], endNs);
  if (startNs !== undefined && endNs !== undefined && endNs < startNs)
    report('time-order', [...path, 'end_ns'], `is ${endNs}, before start_ns (${startNs})`, endNs);
}

/** Checks the times and the request counts of the phases of a run, and that each phase is listed once. */
export function checkPhaseManifest(report: Report, document: Values): void {
  const phases = listObjectItems(document, 'phases', []);
  const repeated = findRepeated(phases.map(([phase]) => getText(phase, 'phase_name')));
  if (repeated !== -1) {
    const [phase, path] = phases[repeated]!;
    const name = getText(phase, 'phase_name');
    report('phase-repeated', [...path, 'phase_name'], `is ${name}, which is already in the list`, name);
  }
  for (const [phase, path] of phases) {
    checkPhaseTimes(report, path, phase);
    checkCounts(report, path, phase);
  }
}

/** Checks that successful and failed requests add up to the total, and that the errors add up to the failed requests. */
function checkCounts(report: Report, path: Path, phase: Values): void {
  const [successful, failed, total] = ['successful', 'error', 'total'].map(kind =>
    getNumber(phase, `${kind}_request_count`),
  );
  if (
    successful !== undefined &&
    failed !== undefined &&
    total !== undefined &&
    successful + failed !== total
  )
    report(
      'phase-counts',
      [...path, 'total_request_count'],
      `is ${total}, but there are ${successful} successful and ${failed} failed requests`,
      total,
    );
  const errors = sumErrors(phase);
  if (failed !== undefined && errors !== undefined && errors !== failed)
    report(
      'phase-counts',
      [...path, 'error_summary'],
      `counts ${errors} errors, but error_request_count is ${failed}`,
      errors,
    );
}

/** Returns the sum of the counts in `error_summary`; undefined if it is missing. */
export function sumErrors(values: Values): number | undefined {
  if (!Array.isArray(getField(values, 'error_summary'))) return undefined;
  const counts = listObjectItems(values, 'error_summary', []).map(([item]) => getNumber(item, 'count') ?? 0);
  return counts.reduce((a, b) => a + b, 0);
}

/** Checks the phase that a document describes, and that its data belongs to this phase. */
export function checkPhase(report: Report, document: Values): void {
  const phase = getObject(document, 'phase') ?? {};
  checkPhaseTimes(report, ['phase'], phase);
  const data = getObject(document, 'data') ?? {};
  checkPhaseTimes(report, ['data'], data);
  const [name, dataName] = [phase, data].map(values => getText(values, 'phase_name'));
  if (name !== undefined && dataName !== undefined && name !== dataName)
    report('phase-identity', ['data', 'phase_name'], `is ${dataName}, but the phase is ${name}`, dataName);
}
