import { expect, test } from 'vitest';
import { listMissingRuns } from '../src/plannedRuns.ts';
import type { SweptRun } from '../src/sweptRuns.ts';

function createRun(name: string): SweptRun {
  const [, variation, trial] = /^(.*?)\/?(?:run_(\d+))?$/.exec(name)!;
  return { folder: name, name, variation: variation || undefined, parameters: {}, trial: Number(trial ?? 1) };
}

test.each<[string, string[], string | undefined, string[]]>([
  ['a complete sweep', ['concurrency_1', 'concurrency_2'], "aiperf profile --concurrency '1,2'", []],
  [
    'the last variations',
    ['concurrency_1'],
    'servelens profile --concurrency 1,2,4',
    ['concurrency_2', 'concurrency_4'],
  ],
  [
    'the runs of a repeated sweep',
    ['concurrency_1/run_0001', 'concurrency_2/run_0001', 'concurrency_1/run_0002'],
    "aiperf profile --num-profile-runs 2 --concurrency '1,2'",
    ['concurrency_2/run_0002'],
  ],
  [
    'the combinations of two parameters, ordered by path',
    ['mean_50__rate_5.0'],
    'servelens profile --request-rate=5,7.5 --isl 50,100 --osl 20',
    ['mean_50__rate_7.5', 'mean_100__rate_5.0', 'mean_100__rate_7.5'],
  ],
  ['repeated runs', ['run_0001'], 'aiperf profile --num-profile-runs 3', ['run_0002', 'run_0003']],
  [
    'the combinations that are there, if the command is unknown',
    ['concurrency_1/run_0001', 'concurrency_2/run_0001', 'concurrency_1/run_0002'],
    undefined,
    ['concurrency_2/run_0002'],
  ],
  [
    'nothing, if the command sweeps other options',
    ['duration_30'],
    "aiperf profile --benchmark-duration '30,60'",
    [],
  ],
  ['nothing of pairs', ['mean_50__concurrency_1'], 'aiperf --sweep-type zip --isl 50', []],
])('lists %s', (_, started, command, expected) => {
  expect(listMissingRuns(started.map(createRun), command)).toEqual(expected);
});
