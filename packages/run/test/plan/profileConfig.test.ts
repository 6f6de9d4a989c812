import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { createProfileConfig, type RecordedConfig } from '../../src/plan/profileConfig.ts';
import type { ProfilePlan, RequestPlan } from '../../src/plan/profilePlan.ts';
import { resolvePlan } from '../../src/plan/runPlan.ts';
import { createProfilePlan } from '../plans.ts';

function createConfig(changes: Partial<RequestPlan>, ...targets: string[]): RecordedConfig {
  const plan = createProfilePlan('http://a:1');
  const request = { ...plan.request, ...changes };
  return createProfileConfig(
    resolvePlan({ ...plan, request, targets: targets.map(url => parseMetricsTarget(url)) }),
  );
}

function createInputConfig(changes: Partial<ProfilePlan>): RecordedConfig['inputConfig'] {
  return createProfileConfig(resolvePlan({ ...createProfilePlan('http://a:1'), ...changes })).inputConfig;
}

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat?api_key=hunter2&user=me', '/v1/chat?api_key=REDACTED&user=me'],
  ['v1/chat?api_key=hunter2', 'v1/chat?api_key=REDACTED'],
  ['models/a@2/chat', 'models/a@2/chat'],
  ['a@2/chat', 'a@2/chat'],
])('records the path %s as %s', (path, recorded) => {
  expect(createConfig({ path }).inputConfig.endpoint).toMatchObject({ path: recorded });
});

test('redacts the secrets of every field', () => {
  const config = createConfig(
    {
      urls: ['http://me:hunter2@a:1/?token=hunter2'],
      apiKey: 'hunter2',
      path: '/v1?key=hunter2&api_key=hunter2',
      headers: { 'X-Team': 'hunter2' },
      extraInputs: { nested: { api_token: 'hunter2' } },
    },
    'http://me:hunter2@a:1/metrics?token=hunter2',
  );
  expect(JSON.stringify(config)).not.toContain('hunter2');
});

const INPUTS = { inputTokens: { mean: 20 }, sampling: 'sequential', fixedSchedule: false } as const;

const PROFILING = { name: 'profiling', kind: 'profiling', requests: 9 } as const;

test.each<[string, Partial<ProfilePlan>, object]>([
  [
    'users that share a rate',
    { profiling: { rate: 4, users: 3, requestCount: 9 } },
    { phases: [{ ...PROFILING, type: 'user_centric', rate: 4, users: 3 }] },
  ],
  [
    'rates over time',
    {
      profiling: {
        rate: 1,
        rateSeries: [
          { timeS: 0, perSecond: 1 },
          { timeS: 9, perSecond: 2 },
        ],
        requestCount: 9,
      },
    },
    {
      phases: [
        {
          ...PROFILING,
          type: 'poisson',
          rate_series: {
            points: [
              { time_s: 0, qps: 1 },
              { time_s: 9, qps: 2 },
            ],
          },
        },
      ],
    },
  ],
  [
    'a prefill limit with a ramp',
    { profiling: { concurrency: 4, prefillConcurrency: 2, prefillRampS: 3, requestCount: 9 } },
    {
      phases: [
        {
          ...PROFILING,
          type: 'concurrency',
          concurrency: 4,
          prefill_concurrency: 2,
          prefill_ramp: { duration: 3 },
        },
      ],
    },
  ],
  [
    'a closed loop with a warm-up',
    {
      warmup: { concurrency: 2, requestCount: 5, graceS: Number.POSITIVE_INFINITY },
      profiling: { concurrency: 2, requestCount: 20, failedRequestThreshold: 0.5 },
      cancellation: { percent: 10 },
    },
    {
      phases: [
        {
          name: 'warmup',
          kind: 'warmup',
          exclude_from_results: true,
          type: 'concurrency',
          requests: 5,
          concurrency: 2,
        },
        {
          name: 'profiling',
          kind: 'profiling',
          type: 'concurrency',
          requests: 20,
          concurrency: 2,
          cancellation: { rate: 10, delay: 0 },
          failed_request_threshold: 0.5,
        },
      ],
    },
  ],
  [
    'an open loop',
    {
      profiling: {
        rate: 5,
        pattern: 'gamma',
        smoothness: 2,
        rateRampS: 1,
        durationS: 9,
        graceS: Number.POSITIVE_INFINITY,
      },
    },
    {
      phases: [
        {
          name: 'profiling',
          kind: 'profiling',
          type: 'gamma',
          duration: 9,
          grace_period: 'inf',
          rate: 5,
          rate_ramp: { duration: 1 },
          smoothness: 2,
        },
      ],
    },
  ],
  [
    'a schedule',
    {
      profiling: { fixedSchedule: true },
      inputs: { ...INPUTS, file: '/t.jsonl', datasetType: 'mooncake_trace', fixedSchedule: true, startMs: 5 },
      seed: 3,
    },
    {
      phases: [
        {
          name: 'profiling',
          kind: 'profiling',
          type: 'fixed_schedule',
          auto_offset: false,
          start_offset: 5,
        },
      ],
      datasets: [
        {
          name: 'main',
          type: 'file',
          path: '/t.jsonl',
          format: 'mooncake_trace',
          sampling: 'sequential',
          random_seed: 3,
        },
      ],
    },
  ],
  [
    'the text of prompts',
    {
      inputs: {
        ...INPUTS,
        range: { input: { min: 1, max: 2 }, output: { min: 1, max: 2 }, ratio: '0.3', style: 'vllm' },
        prefixes: { size: 2, tokens: 20 },
        corpus: 'random',
        cacheBust: 'system_prefix',
      },
      seed: 3,
    },
    {
      datasets: [
        expect.objectContaining({
          prompts: {
            isl: { mean: 20 },
            random_range_ratio: '0.3',
            random_corpus_style: 'vllm',
            corpus: 'random',
            cache_bust: { target: 'system_prefix' },
          },
          prefix_prompts: { pool_size: 2, length: 20 },
        }),
      ],
    },
  ],
  [
    'the text of a trace, and the conversations of a pool',
    {
      inputs: {
        ...INPUTS,
        file: '/t',
        datasetType: 'random_pool',
        entries: 9,
        blockTokens: 64,
        corpus: 'random',
        cacheBust: 'first_turn_suffix',
        synthesis: { speedup: 2, prefixFactor: 0.5, maxInput: 9 },
        delayCapSeconds: 3,
      },
      seed: 3,
    },
    {
      datasets: [
        expect.objectContaining({
          format: 'random_pool',
          entries: 9,
          block_size: 64,
          prompts: { corpus: 'random' },
          cache_bust: { target: 'first_turn_suffix' },
          synthesis: { speedup_ratio: 2, prefix_len_multiplier: 0.5, max_isl: 9 },
          inter_turn_delay_cap_seconds: 3,
        }),
      ],
    },
  ],
  [
    'synthetic conversations',
    {
      profiling: { concurrency: 1, sessionCount: 4 },
      inputs: {
        ...INPUTS,
        outputTokens: { mean: 4, stddev: 1 },
        turns: { mean: 2, stddev: 0 },
        turnDelayMs: { mean: 50 },
        sharedSystemTokens: 10,
        userContextTokens: 5,
      },
      seed: 3,
    },
    {
      datasets: [
        {
          name: 'main',
          type: 'synthetic',
          entries: 4,
          random_seed: 3,
          prompts: { isl: { mean: 20 }, osl: { mean: 4, stddev: 1 } },
          turns: { mean: 2 },
          turn_delay: { mean: 50 },
          prefix_prompts: { shared_system_length: 10, user_context_length: 5 },
        },
      ],
    },
  ],
  [
    'lengths that belong together, and a system prompt',
    {
      profiling: { concurrency: 1, sessionCount: 4 },
      inputs: {
        ...INPUTS,
        lengths: [{ input: { mean: 64, stddev: 0 }, output: { mean: 10, stddev: 0 }, percent: 100 }],
        systemPrompt: 'be brief',
      },
      seed: 3,
    },
    {
      datasets: [
        {
          name: 'main',
          type: 'synthetic',
          entries: 4,
          random_seed: 3,
          prompts: {
            isl: { mean: 20 },
            sequence_distribution: [
              { isl: { mean: 64, stddev: 0 }, osl: { mean: 10, stddev: 0 }, probability: 100 },
            ],
          },
          system_prompt: 'be brief',
        },
      ],
    },
  ],
])("records %s in the shape of AIPerf's configuration", (_, changes, expected) => {
  const config = createInputConfig(changes);
  expect(Object.fromEntries(Object.keys(expected).map(key => [key, config[key]]))).toEqual(expected);
});

test('records distributions in the schema of AIPerf', () => {
  const { inputs } = createProfilePlan('http://a:1');
  const inputTokens = { mean: 512, median: 400, max: 2000 };
  const outputTokens = {
    mean: 2,
    parts: [
      { distribution: { mean: 1 }, weight: 1 },
      { distribution: { mean: 3, stddev: 1 }, weight: 1 },
    ],
  };
  const config = createInputConfig({ inputs: { ...inputs, inputTokens, outputTokens } });
  expect(config.datasets).toMatchObject([
    {
      prompts: {
        isl: { mean: 512, median: 400, max: 2000 },
        osl: {
          peaks: [
            { distribution: { mean: 1 }, weight: 1 },
            { distribution: { mean: 3, stddev: 1 }, weight: 1 },
          ],
        },
      },
    },
  ]);
});
