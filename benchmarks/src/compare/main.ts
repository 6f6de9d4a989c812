/**
 * Measures the verdicts of `read compare` on runs of simulated servers: how often two equal servers are reported as
 * different, and how often a collapsed or slower server is detected. Prints one JSON line per figure and set of
 * seeds. The methods were chosen with the seeds `development` and checked with `validation`; `held-out` was used after
 * all choices.
 *
 * Runs are simulated in simulated time, so the figures are the same on every machine. A run has 60 s with timeslices of
 * 2 s, after a warm-up of 10 s.
 *
 * Usage: npm run bench -- compare [--seeds SET]
 */
import { argv } from 'node:process';
import type { Run } from '@org/analysis';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { countDetected, countFlaggedPairs } from './outcomes.ts';
import {
  BASE,
  COLLAPSES,
  createSlowServer,
  HARD_LOADS,
  LATE_COLLAPSES,
  OVERLOADED,
  SLOWDOWNS,
  STEEPER_COLLAPSES,
} from './scenarios.ts';
import { type SimulatedRunOptions, simulateRun } from './simulatedRun.ts';

/** The first seed of each set. */
const SEEDS = { development: 1000, validation: 500_000, 'held-out': 900_000 } as const;
type SeedSet = keyof typeof SEEDS;

const EQUAL_RUNS = 12;
const COLLAPSED_RUNS = 8;
const SLOWER_RUNS = 24;
/** Minimum numbers of detected runs, by slowdown in percent. */
const TARGETS: Readonly<Record<number, number>> = { 5: 12, 10: 24, 20: 24 };
const MAX_FLAGGED_PERCENT = 3;

const sets = Object.keys(SEEDS) as SeedSet[];
const { seeds: only } = yargs(hideBin(argv))
  .option('seeds', { choices: sets, describe: 'Use only this set of seeds' })
  .strict()
  .parseSync();

for (const set of sets) if (only === undefined || only === set) measure(set);

function measure(set: SeedSet): void {
  let seed: number = SEEDS[set];
  const simulate = (options: SimulatedRunOptions, count: number): Run[] =>
    Array.from({ length: count }, () => simulateRun({ ...options, seed: seed++ }));
  const print = (name: string, figures: object): void =>
    console.log(JSON.stringify({ bench: 'compare', case: name, seeds: set, ...figures }));

  const equal = countFlaggedPairs(simulate(BASE, EQUAL_RUNS));
  print('equal servers', { ...equal, target_max: Math.floor((equal.pairs * MAX_FLAGGED_PERCENT) / 100) });

  const bases = simulate(BASE, SLOWER_RUNS);
  for (const [name, options] of Object.entries(COLLAPSES)) {
    const others = simulate(options, COLLAPSED_RUNS);
    for (const metric of ['vllm:time_to_first_token_seconds', 'time_to_first_token'])
      print('collapse', {
        cause: name,
        metric,
        ...countDetected(bases, others, metric),
        target: COLLAPSED_RUNS,
      });
  }
  for (const percent of SLOWDOWNS) {
    const metric = 'vllm:inter_token_latency_seconds';
    const figures = countDetected(bases, simulate(createSlowServer(percent), SLOWER_RUNS), metric);
    print('slower server', { percent, metric, ...figures, target: TARGETS[percent] });
  }
  for (const [name, options] of Object.entries(HARD_LOADS))
    print('equal servers, hard load', { load: name, ...countFlaggedPairs(simulate(options, EQUAL_RUNS)) });

  const metric = 'vllm:time_to_first_token_seconds';
  for (const [start, options] of Object.entries(LATE_COLLAPSES)) {
    const others = simulate(options, COLLAPSED_RUNS);
    print('late collapse', { start, metric, ...countDetected(bases, others, metric) });
  }
  const overloaded = simulate(OVERLOADED, COLLAPSED_RUNS);
  for (const [name, options] of Object.entries(STEEPER_COLLAPSES)) {
    const others = simulate(options, COLLAPSED_RUNS);
    print('steeper collapse', { server: name, metric, ...countDetected(overloaded, others, metric) });
  }
}
