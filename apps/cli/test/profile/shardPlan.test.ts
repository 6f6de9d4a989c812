import { describe, expect, test } from 'vitest';
import { readProfile } from '../support/options.ts';
import { runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const BASE = ['--model', 'm', '--url', 'a:1', 'b:2', 'c:3', '--random-seed', '7', '--concurrency', '8'];
const read = (...words: string[]) => readProfile([...BASE, ...words], '/work').plan;

test('--shard keeps the load, and divides the endpoints', () => {
  const whole = read('--no-gpu-telemetry');
  const parts = ['0/2', '1/2'].map(shard => read('--no-gpu-telemetry', '--shard', shard));
  expect(parts.map(({ shard }) => shard)).toEqual([
    { index: 0, count: 2 },
    { index: 1, count: 2 },
  ]);
  for (const { profiling, request, seed } of parts)
    expect({ profiling, request, seed }).toMatchObject({
      profiling: whole.profiling,
      request: { urls: whole.request.urls },
      seed: whole.seed,
    });
  expect(parts.map(({ targets }) => targets.map(({ url }) => url))).toEqual([
    ['http://a:1/metrics', 'http://c:3/metrics'],
    ['http://b:2/metrics'],
  ]);
});

test('names the default folder after the shard', () => {
  expect(read('--shard', '1/3').folder).toBe('/work/artifacts/m-openai-chat-concurrency8-shard_1_of_3');
});

test('reads GPU telemetry of local sources only in the first shard, and divides exporters', () => {
  const exporters = ['--gpu-telemetry', 'http://a:9400/metrics', 'http://b:9400/metrics'];
  const listExporters = (shard: string) =>
    read(...exporters, '--shard', shard).gpuTelemetry?.exporters.map(({ url }) => url);
  expect(['0/3', '1/3', '2/3'].map(listExporters)).toEqual([
    ['http://a:9400/metrics'],
    ['http://b:9400/metrics'],
    undefined,
  ]);
  const local = ['--gpu-telemetry', 'pynvml', '--shard'];
  expect(read(...local, '0/2').gpuTelemetry?.commands).toEqual(['nvidia']);
  expect(read(...local, '1/2').gpuTelemetry).toBeUndefined();
});

describe('refuses --shard', () => {
  const refuse = async (...words: string[]) =>
    runServelens(['profile', '--model', 'm', '--shard', '0/3', ...words], { cwd: makeTestFolder() });
  test.each([
    ['without a seed', ['--concurrency', '3'], '--shard requires --random-seed'],
    [
      'with a small concurrency',
      ['--random-seed', '1', '--concurrency', '2'],
      'invalid --concurrency 2: expected at least 3',
    ],
    [
      'with few requests',
      ['--random-seed', '1', '--concurrency', '3', '--request-count', '2'],
      'invalid --request-count 2',
    ],
    [
      'with few sessions',
      ['--random-seed', '1', '--concurrency', '3', '--num-sessions', '2'],
      'invalid --num-sessions 2',
    ],
    [
      'with few warm-up requests',
      ['--random-seed', '1', '--concurrency', '3', '--warmup-request-count', '1'],
      'invalid --warmup-request-count 1',
    ],
    ['with a sweep', ['--random-seed', '1', '--concurrency', '3,6'], 'cannot use --shard with several runs'],
    [
      'with repeated runs',
      ['--random-seed', '1', '--concurrency', '3', '--num-profile-runs', '2'],
      'cannot use --shard with several runs',
    ],
    [
      'with the detection of over-saturation',
      ['--random-seed', '1', '--request-rate', '9', '--stop-over-saturated'],
      'cannot use both --shard and --stop-over-saturated',
    ],
    [
      'with files of AIPerf',
      ['--random-seed', '1', '--concurrency', '3', '--compat', 'aiperf-0.13'],
      'cannot use both --shard and --compat aiperf-0.13',
    ],
    [
      'without lines of requests',
      ['--random-seed', '1', '--concurrency', '3', '--export-level', 'summary'],
      'cannot use both --shard and --export-level summary',
    ],
  ])('%s', async (_, words, message) => {
    const { code, err } = await refuse(...words);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  test('with a number that does not exist', async () => {
    const words = ['profile', '--model', 'm', '--shard', '3/3'];
    const { code, err } = await runServelens(words, { cwd: makeTestFolder() });
    expect(err).toContain('invalid --shard "3/3": expected I/N with I from 0 to N - 1 and N up to 10000');
    expect(code).toBe(2);
  });
});
