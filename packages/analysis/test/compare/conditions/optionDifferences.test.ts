import { describe, expect, test } from 'vitest';
import { listOptionDifferences } from '../../../src/compare/conditions/optionDifferences.ts';
import { compareRuns, createRun, createRunFromView, type Run } from '../../../src/index.ts';
import { createDocument, createMetric } from '../../documents.ts';
import { createTestRun, createTokens } from '../runs.ts';

/** Creates a run of a counter of tokens with this configuration. */
function createConfiguredRun(config: object, rate = 1000): Run {
  const view = createDocument({
    'vllm:generation_tokens': createMetric('counter', [createTokens(rate)], 'tokens'),
  });
  return createRunFromView({ ...view, input_config: config } as typeof view);
}

const createPhases = (profiling: object) => ({ phases: [{ name: 'profiling', ...profiling }] });

test.each<[string, object, object, object[]]>([
  [
    'the request rate',
    createPhases({ rate: 12 }),
    createPhases({ rate: 24 }),
    [{ topic: 'load', option: 'phases.profiling.rate', unit: 'requests/s', base: ['12'], new: ['24'] }],
  ],
  [
    'load first, then the requested duration',
    createPhases({ duration: 30, concurrency: 8 }),
    createPhases({ duration: 60, concurrency: 16 }),
    [
      { topic: 'load', base: ['8'], new: ['16'] },
      { topic: 'duration', unit: 's', base: ['30'], new: ['60'] },
    ],
  ],
  [
    'an option that only one run sets',
    createPhases({ concurrency: 8 }),
    createPhases({ rate: 12 }),
    [
      { topic: 'load', option: 'phases.profiling.concurrency', base: ['8'], new: [] },
      { topic: 'load', option: 'phases.profiling.rate', base: [], new: ['12'] },
    ],
  ],
  [
    'phases that AIPerf lists by name',
    { phases: [{ name: 'profiling', requests: 80 }] },
    { phases: [{ name: 'profiling', requests: 100 }] },
    [{ topic: 'number of requests', option: 'phases.profiling.requests', base: ['80'], new: ['100'] }],
  ],
  [
    'the warm-up, without the names of its phase',
    createPhases({ requests: 80 }),
    {
      phases: [
        { name: 'warmup', kind: 'warmup', exclude_from_results: true, requests: 20 },
        { name: 'profiling', requests: 80 },
      ],
    },
    [{ topic: 'warm-up', option: 'phases.warmup.requests', base: [], new: ['20'] }],
  ],
  [
    'the pattern of arrivals',
    createPhases({ type: 'poisson', rate: 6 }),
    createPhases({ type: 'constant', rate: 6 }),
    [{ topic: 'load', option: 'phases.profiling.type', base: ['poisson'], new: ['constant'] }],
  ],
  [
    'only options that an earlier version recorded too, by their new names',
    {
      endpoint: { model: 'a', custom_endpoint: '/v1' },
      input: { input_tokens: { mean: 100, stddev: 0 }, sampling: 'sequential' },
      phases: { profiling: { request_count: 80, rate: 6, pattern: 'poisson' } },
      goodput: { request_latency: 5 },
      tokenizer: 'x',
    },
    {
      models: { items: [{ name: 'b' }] },
      endpoint: { path: '/v2', connection_reuse: 'pooled' },
      datasets: [{ name: 'main', entries: 80, prompts: { isl: { mean: 200 } } }],
      slos: { request_latency: 6 },
      tokenizer: { name: 'y' },
      ...createPhases({ type: 'constant', requests: 90, rate: 7 }),
    },
    [
      { topic: 'load', option: 'phases.profiling.rate', base: ['6'], new: ['7'] },
      { topic: 'load', option: 'phases.profiling.type', base: ['poisson'], new: ['constant'] },
      { topic: 'number of requests', option: 'phases.profiling.requests' },
      { topic: 'model', option: 'models', base: ['a'], new: ['b'] },
      { topic: 'endpoint', option: 'endpoint.path' },
      { topic: 'token counts', option: 'tokenizer.name' },
      { topic: 'input', option: 'datasets.main.prompts.isl.mean' },
      { topic: 'goodput limits', option: 'slos.request_latency' },
    ],
  ],
  [
    'only the command if the load of one run is that of a wrapped command',
    createPhases({ rate: 6, duration: 30 }),
    { command: ['bench', '--rate', '6'] },
    [{ topic: 'command', base: [], new: ['bench --rate 6'] }],
  ],
  [
    'the model, and the length of prompts',
    {
      models: { items: [{ name: 'a' }] },
      endpoint: { urls: ['x'] },
      datasets: [{ name: 'main', prompts: { isl: { mean: 100 } } }],
    },
    {
      models: { items: [{ name: 'b' }, { name: 'c' }] },
      endpoint: { urls: ['y'] },
      datasets: [{ name: 'main', prompts: { isl: { mean: 200 } } }],
    },
    [
      { topic: 'model', option: 'models', base: ['a'], new: ['b,c'] },
      { topic: 'input', option: 'datasets.main.prompts.isl.mean' },
    ],
  ],
  [
    'a wrapped command',
    { command: ['bench', '--rate', '1'] },
    { command: ['bench', '--rate', '2'] },
    [{ topic: 'command', base: ['bench --rate 1'] }],
  ],
  [
    'no option that does not affect results',
    { benchmark_id: 'a', server_metrics: ['x'], slice_duration: 1, collection_interval: 0.3, duration: 30 },
    { benchmark_id: 'b', server_metrics: ['y'], slice_duration: 2, collection_interval: 0.5, duration: 30 },
    [],
  ],
  ['nothing if the options of a run are unknown', {}, createPhases({ rate: 24 }), []],
])('lists %s', (_, base, other, expected) => {
  const differences = listOptionDifferences([createConfiguredRun(base)], [createConfiguredRun(other)]);
  expect(differences).toMatchObject(expected);
  expect(differences).toHaveLength(expected.length);
});

test('lists the source of token counts that each run chose', () => {
  const [client, server] = (['client', 'server'] as const).map(token_source => {
    const { view } = createConfiguredRun({ tokenizer: 'x' });
    const profile = { schema_version: '1.3', load_generator: { token_source } };
    return createRun({ name: '', layout: 'json', files: {}, view, profile: profile as never });
  }) as [Run, Run];
  expect(compareRuns([client], [server]).differences).toMatchObject([
    { topic: 'token counts', option: 'token_source', base: ['client'], new: ['server'] },
  ]);
});

describe('higher throughput under different load', () => {
  test('is changed, not better', () => {
    const [base, other] = [
      createConfiguredRun(createPhases({ rate: 12 })),
      createConfiguredRun(createPhases({ rate: 24 }), 2000),
    ];
    expect(compareRuns([base], [other]).rows[0]).toMatchObject({ verdict: 'changed', better: 'neither' });
  });

  test('does not hide more failed requests', () => {
    const labels = { finished_reason: 'error' };
    const [base, other] = [12, 24].map(rate => {
      const failures = createMetric('counter', [createTokens(rate, { labels })]);
      return {
        ...createConfiguredRun(createPhases({ rate })),
        families: createTestRun({ 'vllm:request_success': failures }).families,
      };
    });
    expect(compareRuns([base!], [other!]).rows[0]).toMatchObject({ verdict: 'worse', better: 'lower' });
  });

  test('is better under equal load', () => {
    const base = createConfiguredRun(createPhases({ rate: 12 }));
    const other = createConfiguredRun(createPhases({ rate: 12 }), 2000);
    expect(compareRuns([base], [other]).rows[0]).toMatchObject({ verdict: 'better' });
  });
});

test('does not compare the duration of runs', () => {
  const createTimedRun = (seconds: number): Run =>
    createRun({
      name: '',
      layout: 'none',
      files: {},
      view: createTestRun({}).view,
      clientMetrics: new Map([['benchmark_duration', { unit: 'sec', avg: seconds }]]) as never,
    });
  expect(compareRuns([createTimedRun(60)], [createTimedRun(30)]).rows).toEqual([]);
});
