import { describe, expect, test } from 'vitest';
import { listOptionDifferences } from '../../src/compare/optionDifferences.ts';
import { compareRuns, createRun, createRunFromView, type Run } from '../../src/index.ts';
import { createDocument, createMetric } from '../documents.ts';
import { createTestRun, createTokens } from './runs.ts';

/** Creates a run of a counter of tokens with this configuration. */
function createConfiguredRun(config: object, rate = 1000): Run {
  const view = createDocument({
    'vllm:generation_tokens': createMetric('counter', [createTokens(rate)], 'tokens'),
  });
  return createRunFromView({ ...view, input_config: config } as typeof view);
}

const createPhases = (profiling: object) => ({ phases: { profiling } });

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
    [{ topic: 'number of requests', option: 'phases.profiling.request_count', base: ['80'], new: ['100'] }],
  ],
  [
    'options that AIPerf calls differently under one name, without names and types of phases',
    createPhases({ request_count: 80, rate: 6 }),
    {
      phases: [
        { name: 'warmup', kind: 'warmup', type: 'concurrency', exclude_from_results: true, requests: 20 },
        { name: 'profiling', type: 'concurrency', requests: 80, request_rate: 6 },
      ],
    },
    [{ topic: 'warm-up', option: 'phases.warmup.request_count', base: [], new: ['20'] }],
  ],
  [
    'only the command if the load of one run is that of a wrapped command',
    createPhases({ rate: 6, duration: 30 }),
    { command: ['bench', '--rate', '6'] },
    [{ topic: 'command', base: [], new: ['bench --rate 6'] }],
  ],
  [
    'the model, and the length of prompts',
    { endpoint: { model: 'a', urls: ['x'] }, input: { input_tokens: { mean: 100 } } },
    { endpoint: { model: 'b', urls: ['y'] }, input: { input_tokens: { mean: 200 } } },
    [{ topic: 'model' }, { topic: 'input', option: 'input.input_tokens.mean' }],
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
