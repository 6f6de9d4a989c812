/**
 * Measures the error of each percentile estimation method on simulated runs with known percentiles. Prints one
 * JSON line per method, per method and percentile, and per method and rate.
 *
 * Usage: npm run bench -- accuracy [--file FILE.jsonl... | --held-out]
 */
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { PERCENTILE_METHODS } from '@org/core';
import { splitLines } from '@org/formats/read';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { SHARED_FOLDER } from '../sharedData.ts';
import { type AccuracyRun, computeFloor, toWindow } from './accuracyRun.ts';
import { generateHeldOutRuns } from './heldOut.ts';
import { computeErrors, type PercentileName, type Score, summarize } from './score.ts';

const { file: files, heldOut } = yargs(hideBin(argv))
  .option('file', {
    type: 'string',
    array: true,
    default: [resolve(SHARED_FOLDER, 'accuracy/dev.jsonl')],
    describe: 'JSONL files of runs with known percentiles',
  })
  .option('held-out', {
    type: 'boolean',
    default: false,
    describe: 'Use simulated runs that were not used to develop the methods, instead of files',
  })
  .strict()
  .parseSync();

const scores: Score[] = [];
if (heldOut) for (const run of generateHeldOutRuns()) scores.push(...scoreRun(run));
for (const file of heldOut ? [] : files) {
  if (!existsSync(file)) {
    console.error(`--file ${file} does not exist; expected a JSONL file of runs with known percentiles`);
    exit(1);
  }
  for await (const { bytes } of splitLines(createReadStream(file))) {
    const line = Buffer.from(bytes).toString();
    if (line.trim() !== '') scores.push(...scoreRun(JSON.parse(line) as AccuracyRun));
  }
}
if (scores.length === 0) {
  console.error(`--file ${files.join(' ')} contains no runs`);
  exit(1);
}
for (const method of Object.keys(PERCENTILE_METHODS))
  report(
    scores.filter(score => score.method === method),
    method,
  );

function scoreRun(run: AccuracyRun): Score[] {
  const window = toWindow(run);
  const floor = computeFloor(run);
  return Object.entries(PERCENTILE_METHODS).flatMap(([method, estimator]) => {
    const estimates = estimator(window);
    return (Object.keys(run.truth) as PercentileName[]).map(percentile => ({
      method,
      percentile,
      rate: run.rate,
      ...computeErrors(estimates?.[percentile], run.truth[percentile], floor),
    }));
  });
}

function report(methodScores: readonly Score[], method: string): void {
  print({ method, percentile: 'all' }, methodScores);
  for (const percentile of new Set(methodScores.map(score => score.percentile))) {
    print(
      { method, percentile },
      methodScores.filter(score => score.percentile === percentile),
    );
  }
  for (const rate of [...new Set(methodScores.map(score => score.rate))].sort((a, b) => a - b)) {
    print(
      { method, percentile: 'all', rate },
      methodScores.filter(score => score.rate === rate),
    );
  }
}

function print(
  group: { method: string; percentile: string; rate?: number },
  members: readonly Score[],
): void {
  console.log(JSON.stringify({ bench: 'accuracy', ...group, ...summarize(members) }));
}
