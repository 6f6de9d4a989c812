import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { type CollectPlan, createCollectConfig } from '../../src/plan/collectPlan.ts';
import { resolvePlan } from '../../src/plan/runPlan.ts';

const createConfig = (changes: Partial<CollectPlan>, cliCommand?: string) =>
  createCollectConfig(
    resolvePlan({ folder: 'a', targets: [parseMetricsTarget('http://a:1')], ...changes }),
    'b',
    cliCommand,
  ).inputConfig;

test('records the defaults of a plan, and omits settings that are not set', () => {
  expect(createConfig({})).toEqual({
    benchmark_id: 'b',
    server_metrics: ['http://a:1/metrics'],
    server_metrics_formats: ['json', 'csv', 'parquet'],
    warmup_duration: 0,
    percentile_method: 'moments',
    collection_interval: 0.333,
  });
});

test('records every setting under the name of its option', () => {
  const config = createConfig(
    {
      config: '/home/me/servelens.yaml',
      warmupSeconds: 5,
      durationSeconds: 60,
      settleSeconds: 10,
      prefix: 'p',
      exports: { sliceSeconds: 2, jsonLayout: 'legacy' },
    },
    'servelens collect',
  );
  expect(config).toMatchObject({
    cli_command: 'servelens collect',
    config: '/home/me/servelens.yaml',
    json_layout: 'legacy',
    warmup_duration: 5,
    settle: 10,
    duration: 60,
    slice_duration: 2,
    profile_export_prefix: 'p',
  });
});

test('records only the options of AIPerf in files of AIPerf, and all others separately', () => {
  const plan = resolvePlan({
    folder: 'a',
    targets: [parseMetricsTarget('http://a:1')],
    exports: { compatibility: 'aiperf-0.13', formats: ['json'], sliceSeconds: 2 },
  });
  const { inputConfig, servelensConfig } = createCollectConfig(plan, 'b', undefined);
  expect(inputConfig).toEqual({
    artifacts: { dir: plan.folder, slice_duration: 2 },
    gpu_telemetry: { enabled: false },
    server_metrics: { enabled: true, urls: plan.targets.map(({ url }) => url), formats: ['json'] },
  });
  expect(servelensConfig).toMatchObject({ compat: 'aiperf-0.13', percentile_method: 'moments' });
});

test('redacts the secrets of the command', () => {
  const { command } = createConfig({ command: ['bench', '--api-key', 'hunter2', '-n', '3'] });
  expect(command).toEqual(['bench', '--api-key', '<redacted>', '-n', '3']);
});
