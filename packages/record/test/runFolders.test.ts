import { expect, test } from 'vitest';
import {
  formatAggregateFolder,
  formatAiperfLabel,
  formatRunFolder,
  formatRunLabel,
  formatSweepFolder,
  formatVariationFolder,
  type RunOrder,
} from '../src/runFolders.ts';

const variation = 'concurrency_4';

test.each<[string | undefined, number | undefined, RunOrder, string]>([
  [undefined, undefined, 'repeated', '.'],
  [undefined, 0, 'repeated', 'profile_runs/run_0001'],
  [variation, undefined, 'repeated', 'concurrency_4'],
  [variation, 9, 'repeated', 'profile_runs/trial_0010/concurrency_4'],
  [variation, 9, 'independent', 'concurrency_4/profile_runs/trial_0010'],
])('formats the folder of variation %j and trial %j, %s, as %s', (name, trial, order, folder) => {
  expect(formatRunFolder({ variation: name, trial, order })).toBe(folder);
});

test.each<[string | undefined, RunOrder, string]>([
  [undefined, 'repeated', 'aggregate'],
  [variation, 'repeated', 'aggregate/concurrency_4'],
  [variation, 'independent', 'concurrency_4/aggregate'],
])('formats the folder of the aggregate of variation %j, %s, as %s', (name, order, folder) => {
  expect(formatAggregateFolder({ variation: name, order })).toBe(folder);
});

test.each<[boolean, RunOrder, string]>([
  [false, 'repeated', 'sweep_aggregate'],
  [true, 'repeated', 'aggregate/sweep_aggregate'],
  [true, 'independent', 'sweep_aggregate'],
])('formats the folder of a sweep, repeated: %j, %s, as %s', (isRepeated, order, folder) => {
  expect(formatSweepFolder(isRepeated, order)).toBe(folder);
});

/** Names and labels that AIPerf 0.13.0 gives to the variations of its command line. */
test.each([
  [{ 'phases.profiling.concurrency': 4 }, 'concurrency_4', 'phases.profiling.concurrency=4'],
  [{ 'phases.profiling.rate': 5 }, 'rate_5.0', 'phases.profiling.rate=5.0'],
  [{ 'phases.profiling.rate': 10.5 }, 'rate_10.5', 'phases.profiling.rate=10.5'],
  [
    { 'datasets.main.prompts.isl.mean': 50, 'phases.profiling.concurrency': 1 },
    'mean_50__concurrency_1',
    'datasets.main.prompts.isl.mean=50, phases.profiling.concurrency=1',
  ],
])('formats the variation %j as %s and %s', (values, folder, label) => {
  expect(formatVariationFolder(values as Record<string, number>)).toBe(folder);
  expect(formatAiperfLabel(values as Record<string, number>)).toBe(label);
});

test('formats the label of a run', () => {
  expect(formatRunLabel(0)).toBe('run_0001');
});
