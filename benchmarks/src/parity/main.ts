import { basename } from 'node:path';
import { compareExpectation } from './comparison.ts';
import { type Expectation, listExpectationFiles, readExpectation } from './expectation.ts';
import { readTrace, type Trace } from './trace.ts';

/**
 * Runs `npm run parity -- DIR`: compares every `*.expected.json` of a folder, in the format of the shared parity
 * data, with the statistics of its trace, and prints the differences. Exits with 0 without differences, 1
 * with differences, and 2 if there is nothing to compare.
 */
function main(folder: string | undefined): number {
  if (folder === undefined) {
    console.error('missing folder; usage: npm run parity -- DIR, with DIR/*.expected.json and their traces');
    return 2;
  }
  const files = listExpectationFiles(folder);
  if (files.length === 0) {
    console.error(`cannot find *.expected.json in ${folder}`);
    return 2;
  }
  const traces = new Map<string, Trace>();
  let failedCount = 0;
  for (const file of files) {
    const differences = computeDifferences(file, folder, traces);
    if (differences.length > 0) failedCount++;
    console.log(`${differences.length > 0 ? 'FAIL' : 'ok  '} ${basename(file)}`);
    for (const difference of differences) console.log(`     ${difference}`);
  }
  console.log(`${files.length - failedCount} passed, ${failedCount} failed`);
  return failedCount > 0 ? 1 : 0;
}

/**
 * Computes the differences between one expectation and its trace. If the expectation or the trace cannot be
 * read, or the computation fails, returns the error as a difference.
 */
function computeDifferences(file: string, folder: string, traces: Map<string, Trace>): string[] {
  try {
    const expectation = readExpectation(file);
    return compareExpectation(expectation, getTrace(expectation, folder, traces));
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function getTrace(expectation: Expectation, folder: string, traces: Map<string, Trace>): Trace {
  const cached = traces.get(expectation.trace);
  if (cached) return cached;
  const trace = readTrace(folder, expectation.trace);
  traces.set(expectation.trace, trace);
  return trace;
}

process.exitCode = main(process.argv[2]);
