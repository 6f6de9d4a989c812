/**
 * Runs parser cases in the form of the shared conformance data, of either format, through our readers in strict mode.
 * Usage: node benchmarks/dist/conformance.js FILE.jsonl...
 * Prints each case that fails with what differs, then `N passed, N failed`. Exit code 1 when any fails, 2 when a file cannot be read.
 */
import { argv, exit } from 'node:process';
import { type Case, isClassic } from './conformance/case.ts';
import { CasesError, casesIn } from './conformance/cases.ts';
import { difference, outcomeOf } from './conformance/outcome.ts';

const files = argv.slice(2);
if (files.length === 0) {
  console.error('usage: conformance FILE.jsonl..., such as ../shared/conformance/classic.jsonl');
  exit(2);
}

let passed = 0;
let failed = 0;
for (const test of readCases()) {
  const complaint = complaintOn(test);
  if (complaint === undefined) passed++;
  else {
    failed++;
    console.log(`${test.id}: ${complaint}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
exit(failed === 0 ? 0 : 1);

function readCases(): Case[] {
  try {
    return files.flatMap(casesIn);
  } catch (error) {
    if (!(error instanceof CasesError)) throw error;
    console.error(`conformance: ${error.message}`);
    exit(2);
  }
}

/** Where the readers do not agree on a classic case, either the older or the newer prometheus_client may be followed. */
function complaintOn(test: Case): string | undefined {
  const outcome = outcomeOf(test);
  const own = difference(outcome, test);
  if (own === undefined || !isClassic(test) || test.agreed || !test.latest) return own;
  const latest = difference(outcome, test.latest);
  return latest && `${own}; by the latest prometheus_client: ${latest}`;
}
