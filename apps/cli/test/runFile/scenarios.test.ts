import { expect, test } from 'vitest';
import { mergeScenario } from '../../src/runFile/mergeScenario.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { listRunProblems, readWords } from './readOptions.ts';

const folder = makeSuiteFolder();

type Case = [what: string, base: object, scenario: object, merged: object];

test.each<Case>([
  ['a new key', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['mappings', { a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { x: 1, y: 3 } }],
  ['a key in another case', { grace_period: 1 }, { gracePeriod: 2 }, { grace_period: 2 }],
  ['lists of values', { urls: ['a', 'b'] }, { urls: ['c'] }, { urls: ['c'] }],
  [
    'lists of named items',
    { phases: [{ name: 'w' }, { name: 'p', rate: 1, requests: 5 }] },
    { phases: [{ name: 'p', rate: 2 }, { name: 'q' }] },
    { phases: [{ name: 'w' }, { name: 'p', rate: 2, requests: 5 }, { name: 'q' }] },
  ],
  [
    'a single item and a list',
    { dataset: { isl: 5, osl: 6 } },
    { datasets: [{ isl: 7 }] },
    { dataset: { isl: 7, osl: 6 } },
  ],
  [
    'a list and a single item',
    { datasets: [{ isl: 5 }] },
    { dataset: { osl: 7 } },
    { datasets: [{ isl: 5, osl: 7 }] },
  ],
  [
    'distributions of the same kind',
    { isl: { mean: 1, stddev: 2 } },
    { isl: { stddev: 3 } },
    { isl: { mean: 1, stddev: 3 } },
  ],
  [
    'distributions of another kind',
    { isl: { mean: 1, stddev: 2 } },
    { isl: { value: 3 } },
    { isl: { value: 3 } },
  ],
])('merges %s', (_, base, scenario, merged) => {
  expect(mergeScenario(base as never, scenario as never)).toEqual(merged);
});

const BENCHMARK = `benchmark:
  model: m
  dataset: { type: synthetic, prompts: { isl: { mean: 100, stddev: 5 }, osl: 20 } }
  phases: [{ name: profiling, type: poisson, rate: 20, requests: 10 }]
`;

test('each scenario is a variant with the options that differ', async () => {
  const words = await readWords(
    folder,
    `${BENCHMARK}sweep:
  type: scenarios
  runs:
    - { name: chat, benchmark: { dataset: { prompts: { isl: 50 } }, phases: [{ name: profiling, rate: 50 }] } }
    - { benchmark: { dataset: { prompts: { osl: { peaks: [{ mean: 5 }, { mean: 9 }] } } } } }
`,
  );
  const variants = words
    .filter(word => word.startsWith('--variant='))
    .map(word => JSON.parse(word.slice(10)));
  expect(variants).toEqual([
    {
      name: 'chat',
      'synthetic-input-tokens-mean': '50',
      'synthetic-input-tokens-stddev': null,
      'request-rate': '50',
    },
    {
      name: 'scenario_1',
      'output-tokens-mean': '{"peaks":[{"mean":5},{"mean":9}]}',
    },
  ]);
});

test.each<[string, string]>([
  ['runs: { name: x }', 'sweep.runs has an unexpected type; expected a list'],
  ['runs: [{ nam: x }]', 'unknown key "nam" in sweep.runs[0] (did you mean name?)'],
  ['runs: [{ benchmark: 5 }]', 'sweep.runs[0].benchmark has an unexpected type; expected a mapping'],
  [
    'runs: [{ benchmark: { dataset: { prompts: { isll: 5 } } } }]',
    'unknown key "isll" in benchmark.dataset.prompts',
  ],
  ['runs: [{ variables: { a: 1 } }]', "sweep.runs[0].variables is AIPerf's; not in Servelens yet"],
])('reports the problem of %s', async (runs, message) => {
  const problems = await listRunProblems(folder, `${BENCHMARK}sweep: { type: scenarios, ${runs} }\n`);
  expect(problems.join('\n')).toContain(message);
});
