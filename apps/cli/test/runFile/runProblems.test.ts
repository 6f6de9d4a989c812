import { expect, test } from 'vitest';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { listRunProblems } from './readOptions.ts';

const folder = makeSuiteFolder();

test.each<[string, string]>([
  [
    'benchmark: { modell: m }',
    '1:14: unknown key "modell" in benchmark (did you mean model?); expected model,',
  ],
  [
    'benchmark:\n  endpoint: { urll: x }',
    '2:15: unknown key "urll" in benchmark.endpoint (did you mean url?)',
  ],
  ['benchmark: 3', '1:12: benchmark has an unexpected type; expected a mapping with model'],
  [
    'benchmark: { endpoint: { apiKey: 1, api_key: 2 } }',
    'benchmark.endpoint.api_key is set twice, in snake case and in camel case',
  ],
  ['benchmark: { endpoint: { streaming: 5 } }', '1:37: benchmark.endpoint.streaming is not a boolean'],
  ['benchmark: { endpoint: { url: { a: 1 } } }', 'benchmark.endpoint.url has an unexpected type'],
  ['benchmark: { dataset: { type: x } }', 'benchmark.dataset.type is "x"; expected synthetic, file, public'],
  [
    'benchmark: { dataset: { isl: { mean: x } } }',
    'benchmark.dataset.isl is not a distribution: mean is "x"; expected a number',
  ],
  [
    'benchmark: { dataset: { isl: { mean: 9, median: 50 } } }',
    'benchmark.dataset.isl is not a distribution: median is 50; expected a number above 0, up to the mean (9)',
  ],
  [
    'benchmark: { dataset: { isl: { peaks: [] } } }',
    'benchmark.dataset.isl is not a distribution: peaks is not a list of at least 2',
  ],
  ['benchmark: { profiling: { type: x } }', 'benchmark.profiling.type is "x"; expected concurrency,'],
  [
    'benchmark: { profiling: { concurrency: 1 } }',
    'benchmark.profiling.type is missing; expected concurrency,',
  ],
  ['benchmark: { profiling: { type: poisson } }', 'benchmark.profiling is incomplete; expected rate'],
  [
    'benchmark: { profiling: { type: concurrency, smoothness: 1 } }',
    'unknown key "smoothness" in benchmark.profiling',
  ],
  [
    'benchmark: { phases: [], warmup: { type: concurrency } }',
    'benchmark.phases cannot be combined with warmup',
  ],
  [
    'benchmark: { phases: [{ type: concurrency, name: a }, { type: concurrency, name: b }] }',
    "benchmark.phases[1] is AIPerf's; not in Servelens yet; instead, use one profiling phase",
  ],
  [
    'benchmark: { artifacts: { userFiles: [] } }',
    "benchmark.artifacts.userFiles is AIPerf's; not in Servelens yet",
  ],
  ['schemaVersion: "3.0"', "schemaVersion is AIPerf's; not in Servelens yet; instead, use schemaVersion"],
  [
    'sweep: { type: grid, parameters: { datasets.main.format: [a] } }',
    "sweep.parameters.datasets.main.format is AIPerf's; not in Servelens yet; instead, start one run for each value",
  ],
  ['benchmark: { model: "{{ x }}" }', '1:21: benchmark.model has an invalid template: "x" is not defined'],
  [
    `benchmark: { model: "{{ ''.constructor.constructor('return process')() }}" }`,
    'benchmark.model has an invalid template: Cannot call something that is not a function',
  ],
  [
    'benchmark: { model: "{% for i in range(1000000000) %}x{% endfor %}" }',
    'benchmark.model has an invalid template: range has more than 10000 integers',
  ],
  [
    'benchmark: { model: "{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}" }',
    'benchmark.model has an invalid template: takes more than 100000 steps',
  ],
  ['benchmark: { __proto__: { a: 1 } }', 'unknown key "__proto__" in benchmark'],
  ['benchmark: { constructor: 1 }', 'unknown key "constructor" in benchmark'],
  ['sweep: { parameters: { constructor: [1] } }', "sweep.parameters.constructor is AIPerf's"],
])('reports the problem of %s', async (text, problem) => {
  expect(await listRunProblems(folder, text)).toEqual([expect.stringContaining(problem)]);
});

test('reports all problems, in the order of their lines', async () => {
  expect(
    await listRunProblems(folder, 'benchmark:\n  x: 1\n  endpoint: { y: 1 }\nsweep: { type: z }\n'),
  ).toEqual([
    expect.stringContaining('2:3: unknown key "x"'),
    expect.stringContaining('3:15: unknown key "y"'),
    expect.stringContaining('4:16: sweep.type is "z"; expected grid, zip'),
  ]);
});
