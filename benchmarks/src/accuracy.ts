/**
 * How close each estimation method comes on simulated runs with known truth: one JSON line per method, and for each
 * method per percentile and per rate. Usage: node benchmarks/dist/accuracy.js [--file FILE.jsonl]
 */
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { argv, env, exit } from 'node:process';
import { createInterface } from 'node:readline';
import { PERCENTILE_METHODS } from '@org/core';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { floorOf, type Run, windowOf } from './accuracy/run.ts';
import { errorsOf, type PercentileName, type Score, summarize } from './accuracy/score.ts';

const shared = env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../shared');

const { file } = yargs(hideBin(argv))
  .option('file', {
    type: 'string',
    default: resolve(shared, 'accuracy/dev.jsonl'),
    describe: 'Runs in the format of the shared accuracy sets, one JSON object a line',
  })
  .strict()
  .parseSync();

if (!existsSync(file)) {
  console.error(`--file ${file} does not exist; give a JSONL file of runs with known percentiles`);
  exit(1);
}

const scores: Score[] = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  if (line.trim() !== '') scores.push(...scoresOf(JSON.parse(line) as Run));
}
if (scores.length === 0) {
  console.error(`--file ${file} holds no runs`);
  exit(1);
}
for (const method of Object.keys(PERCENTILE_METHODS))
  report(
    scores.filter(score => score.method === method),
    method,
  );

function scoresOf(run: Run): Score[] {
  const window = windowOf(run);
  const floor = floorOf(run);
  return Object.entries(PERCENTILE_METHODS).flatMap(([method, estimator]) => {
    const estimates = estimator(window);
    return (Object.keys(run.truth) as PercentileName[]).map(percentile => ({
      method,
      percentile,
      rate: run.rate,
      ...errorsOf(estimates?.[percentile], run.truth[percentile], floor),
    }));
  });
}

function report(all: readonly Score[], method: string): void {
  print({ method, percentile: 'all' }, all);
  for (const percentile of new Set(all.map(score => score.percentile))) {
    print(
      { method, percentile },
      all.filter(score => score.percentile === percentile),
    );
  }
  for (const rate of [...new Set(all.map(score => score.rate))].sort((a, b) => a - b)) {
    print(
      { method, percentile: 'all', rate },
      all.filter(score => score.rate === rate),
    );
  }
}

function print(
  group: { method: string; percentile: string; rate?: number },
  members: readonly Score[],
): void {
  console.log(JSON.stringify({ bench: 'accuracy', ...group, ...summarize(members) }));
}
