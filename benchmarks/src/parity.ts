import { basename } from 'node:path';
import { compareExpectation } from './parity/comparison.ts';
import { type Expectation, expectationFiles, readExpectation } from './parity/expectation.ts';
import { readTrace, type Trace } from './parity/trace.ts';

/**
 * `npm run parity -- DIR`: runs every `*.expected.json` of a folder in the format of the shared parity data and says
 * what differs. Ends with 0 when nothing does, 1 when something does, 2 when there is nothing to compare.
 */
function main(folder: string | undefined): number {
  if (folder === undefined) {
    console.error(
      'cannot compare without a folder: npm run parity -- DIR, with DIR/*.expected.json and their traces',
    );
    return 2;
  }
  const files = expectationFiles(folder);
  if (files.length === 0) {
    console.error(`cannot find *.expected.json in ${folder}`);
    return 2;
  }
  const traces = new Map<string, Trace>();
  let failed = 0;
  for (const file of files) {
    const differences = differencesOf(file, folder, traces);
    if (differences.length > 0) failed++;
    console.log(`${differences.length > 0 ? 'FAIL' : 'ok  '} ${basename(file)}`);
    for (const difference of differences) console.log(`     ${difference}`);
  }
  console.log(`${files.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** What differs; an expectation that cannot be read or computed differs as a whole. */
function differencesOf(file: string, folder: string, traces: Map<string, Trace>): string[] {
  try {
    const expectation = readExpectation(file);
    return compareExpectation(expectation, traceOf(expectation, folder, traces));
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function traceOf(expectation: Expectation, folder: string, traces: Map<string, Trace>): Trace {
  const known = traces.get(expectation.trace);
  if (known) return known;
  const trace = readTrace(folder, expectation.trace);
  traces.set(expectation.trace, trace);
  return trace;
}

process.exitCode = main(process.argv[2]);
