/**
 * Runs parser cases in the format of the shared conformance data, classic or OpenMetrics, through the parsers
 * in strict mode. Prints each failed case with its first difference, then `N passed, N failed`. Exits with 1
 * if a case failed, and with 2 if a file cannot be read.
 *
 * Usage: npm run conformance -- FILE.jsonl...
 */
import { argv, exit } from 'node:process';
import { type Case, isClassic } from './case.ts';
import { CaseFileError, readCaseFile } from './caseFile.ts';
import { describeDifference, parseCaseText } from './outcome.ts';

const files = argv.slice(2);
if (files.length === 0) {
  console.error(
    'usage: npm run conformance -- FILE.jsonl..., for example ../shared/conformance/classic.jsonl',
  );
  exit(2);
}

let passed = 0;
let failed = 0;
for (const test of readCases()) {
  const failure = describeFailure(test);
  if (failure === undefined) passed++;
  else {
    failed++;
    console.log(`${test.id}: ${failure}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
exit(failed === 0 ? 0 : 1);

function readCases(): Case[] {
  try {
    return files.flatMap(readCaseFile);
  } catch (error) {
    if (!(error instanceof CaseFileError)) throw error;
    console.error(`conformance: ${error.message}`);
    exit(2);
  }
}

/**
 * Describes why a case failed. Returns undefined if it passed. If the reference parsers disagree on a classic case, the
 * verdict of either version of prometheus_client is accepted.
 */
function describeFailure(test: Case): string | undefined {
  const outcome = parseCaseText(test);
  const mismatch = describeDifference(outcome, test);
  if (mismatch === undefined || !isClassic(test) || test.agreed || !test.latest) return mismatch;
  const latestMismatch = describeDifference(outcome, test.latest);
  return latestMismatch && `${mismatch}; compared with the latest prometheus_client: ${latestMismatch}`;
}
