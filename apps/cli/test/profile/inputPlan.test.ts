import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { describe, expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';
import { readClientExports, runProfile } from '../support/profileRun.ts';
import { runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 3 });

test.each([
  ['one run', []],
  ['repeated runs', ['--num-profile-runs', '2']],
])('leaves the files of an earlier run in place if %s cannot read the input file', async (_, options) => {
  const cwd = makeTestFolder();
  mkdirSync(join(cwd, 'artifacts/m-openai-chat-concurrency1'), { recursive: true });
  writeFileSync(join(cwd, 'artifacts/m-openai-chat-concurrency1/profile_export.jsonl'), '');
  const args = ['profile', '--model', 'm', '--input-file', 'missing.jsonl', ...options];
  const { code, err } = await runServelens(args, { cwd });
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: invalid --input-file ".*missing\.jsonl": no such file or folder\n$/);
  expect(readdirSync(join(cwd, 'artifacts'))).toEqual(['m-openai-chat-concurrency1']);
});

describe('readInputPlan', () => {
  const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.inputs;

  test('returns the default prompt length if there is no input file', () => {
    expect(read('')).toEqual({
      inputTokens: { mean: 550, stddev: 0 },
      entries: 100,
      sampling: 'sequential',
      fixedSchedule: false,
    });
  });

  test.each([
    ['', 100],
    ['--benchmark-duration 60 --concurrency 500', 100],
    ['--request-count 300', 300],
    ['--request-count 300 --num-sessions 40', 40],
    ['--request-count 300 --num-sessions 40 --num-dataset-entries 7', 7],
    ['--request-count 300 --unique-prompts', undefined],
    ['--request-count 300 --input-file a', undefined],
  ])('reads the number of prompts of %j as AIPerf does', (line, entries) => {
    expect(read(line).entries).toBe(entries);
  });

  test.each(['--input-file a', '--num-dataset-entries 5', '--dataset-sampling-strategy random'])(
    'rejects --unique-prompts with %s',
    option => {
      expect(() => read(`--unique-prompts ${option}`)).toThrow(
        `cannot use both --unique-prompts and ${option.replace(/ [a5]$/, '')}`,
      );
    },
  );

  test.each([
    ['--isl', '{"mean":512,"median":400,"max":2000}', 'inputTokens', { mean: 512, median: 400, max: 2000 }],
    ['--osl', '{"mean":20,"stddev":5,"min":10}', 'outputTokens', { mean: 20, stddev: 5, min: 10 }],
    [
      '--conversation-turn-mean',
      '{"points":[{"value":1},{"value":3}]}',
      'turns',
      {
        mean: 2,
        parts: [
          { distribution: { mean: 1 }, weight: 1 },
          { distribution: { mean: 3 }, weight: 1 },
        ],
      },
    ],
  ] as const)('reads the distribution %s %s', (option, json, field, expected) => {
    expect(readProfile(['--model', 'm', option, json]).plan.inputs[field]).toEqual(expected);
  });

  test.each([
    ['{"mean":5,"median":9}', 'median is 9; expected a number above 0, up to the mean (5)'],
    ['{"mean":5', 'not valid JSON; expected a number, or a distribution such as'],
  ])('rejects --isl %s', (json, message) => {
    expect(() => readProfile(['--model', 'm', '--isl', json])).toThrow(message);
  });

  test('rejects a standard deviation in addition to a distribution', () => {
    const words = ['--model', 'm', '--isl', '{"mean":5,"max":9}', '--isl-stddev', '3'];
    expect(() => readProfile(words)).toThrow(
      'cannot use --synthetic-input-tokens-stddev with a distribution as --synthetic-input-tokens-mean',
    );
  });

  test('reads a standard deviation of turns without a mean, which is 1', () => {
    expect(read('--conversation-turn-stddev 2').turns).toEqual({ mean: 1, stddev: 2 });
  });

  test('reads the order of synthetic prompts', () => {
    expect(read('--dataset-sampling-strategy shuffle').sampling).toBe('shuffle');
  });

  test('accepts short option names for lengths', () => {
    expect(read('--isl 100 --isl-stddev 10 --osl 20 --osl-stddev 2 --num-prompts 5')).toMatchObject({
      inputTokens: { mean: 100, stddev: 10 },
      outputTokens: { mean: 20, stddev: 2 },
      entries: 5,
    });
  });

  test('reads lengths that belong together', () => {
    expect(read('--seq-dist 64|5,10:40;128,20:60')).toMatchObject({
      lengths: [
        { input: { mean: 64, stddev: 5 }, output: { mean: 10, stddev: 0 }, percent: 40 },
        { input: { mean: 128, stddev: 0 }, output: { mean: 20, stddev: 0 }, percent: 60 },
      ],
    });
  });

  test('reads the output length of a file without output lengths', () => {
    expect(read('--input-file a --osl 20')).toMatchObject({ outputTokens: { mean: 20, stddev: 0 } });
  });

  test.each([
    ['', undefined],
    ['--request-count 5', 5],
    ['--request-count 5 --num-conversations 6', 6],
    ['--request-count 5 --num-conversations 6 --num-dataset-entries 7', 7],
  ])('draws as many conversations from a pool as %j sets', (line, entries) => {
    expect(read(`--input-file a --custom-dataset-type Random-Pool ${line}`)).toMatchObject({
      datasetType: 'random_pool',
      ...(entries === undefined ? {} : { entries }),
    });
  });

  test.each(['burst_gpt_trace', 'sagemaker_data_capture', 'bailian_trace'])(
    'the options of a schedule apply to the type %s',
    type => {
      const line = `--input-file a --custom-dataset-type ${type} --fixed-schedule`;
      expect(read(`${line} --fixed-schedule-end-offset 9`)).toMatchObject({ fixedSchedule: true, endMs: 9 });
    },
  );

  test('reads messages in front of the prompts', () => {
    expect(read('--user-context-prompt-length 5 --system-prompt Hello')).toMatchObject({
      userContextTokens: 5,
      systemPrompt: 'Hello',
    });
  });

  test('reads the turns of conversations', () => {
    const line =
      '--conversation-turn-mean 3 --conversation-turn-delay-mean 200 --shared-system-prompt-length 9';
    expect(read(line)).toMatchObject({
      turns: { mean: 3, stddev: 0 },
      turnDelayMs: { mean: 200, stddev: 0 },
      sharedSystemTokens: 9,
    });
  });

  test('reads requests that consist of images', () => {
    expect(read('--endpoint-type chat --isl 0 --image-width-mean 4')).toMatchObject({
      inputTokens: { mean: 0 },
      images: { width: { mean: 4 }, perTurn: 1 },
    });
  });

  test('reads the contents to draw from a pool', () => {
    const line = '--input-file a --custom-dataset-type random_pool';
    expect(read(`${line} -b 2 --image-batch-size 0 --audio-batch-size 3`)).toMatchObject({
      batchSizes: { texts: 2, images: 0, audios: 3 },
    });
    expect(read(line)).not.toHaveProperty('batchSizes');
    expect(read(`${line} --endpoint-type nim_rankings -b 2`)).not.toHaveProperty('batchSizes');
  });

  test('reads the part of a schedule to replay, and resolves the path of the file', () => {
    const line = '--input-file a.jsonl --fixed-schedule --fixed-schedule-start-offset 4';
    expect(read(`${line} --fixed-schedule-end-offset 9`)).toMatchObject({
      file: '/home/me/a.jsonl',
      fixedSchedule: true,
      startMs: 4,
      endMs: 9,
    });
  });

  test.each([
    ['--fixed-schedule', '--fixed-schedule requires an --input-file'],
    ['--custom-dataset-type multi_turn', '--custom-dataset-type requires --input-file'],
    ['--seq-dist 64,10:50', 'invalid --seq-dist "64,10:50": the percentages add up to 50; expected 100'],
    ['--seq-dist 64', 'invalid --seq-dist "64": invalid lengths "64"; expected ISL,OSL:PERCENT;...'],
    ['--input-file a --seq-dist 64,10:100', 'cannot use --seq-dist with --input-file'],
    ['--system-prompt a --system-prompt-file b', 'cannot use both --system-prompt and --system-prompt-file'],
    [
      '--system-prompt a --shared-system-prompt-length 5',
      'cannot use both --system-prompt and --shared-system-prompt-length',
    ],
    ['--system-prompt-file missing.txt', 'invalid --system-prompt-file "missing.txt": no such file'],
    ['--input-file a --isl 20', 'cannot use --synthetic-input-tokens-mean with --input-file'],
    ['--osl-stddev 2', '--output-tokens-stddev requires --output-tokens-mean'],
    [
      '--isl 0',
      '--synthetic-input-tokens-mean 0 requires images (--image-width-mean) or audio clips (--audio-length-mean)',
    ],
    ['--isl {"mean":0}', '--synthetic-input-tokens-mean 0 requires images'],
    ['--isl 0 --image-width-mean 4 --image-batch-size 0', '--synthetic-input-tokens-mean 0 requires images'],
    [
      '--endpoint-type messages --isl 0',
      '--synthetic-input-tokens-mean 0 requires images (--image-width-mean)',
    ],
    [
      '--endpoint-type completions --isl 0 --image-width-mean 4',
      'cannot use --synthetic-input-tokens-mean 0 with --endpoint-type completions, whose requests consist of text',
    ],
    ['--isl 0.3', 'invalid --synthetic-input-tokens-mean 0.3: expected 0, or a number from 1 to 10000000'],
    ['--prompt-batch-size 0', '--prompt-batch-size 0 requires images'],
    ['--prompt-batch-size 0 --seq-dist 64,10:100', '--prompt-batch-size 0 requires images'],
    [
      '--input-file a --custom-dataset-type random_pool --rankings-passages-mean 3 --endpoint-type nim_rankings',
      'cannot use --rankings-passages-mean with --input-file',
    ],
    ['--isl -1', 'invalid --synthetic-input-tokens-mean "-1": expected a number from 0 to 10000000'],
    ['--isl 1e9', 'invalid --synthetic-input-tokens-mean "1e9": expected a number from 0 to 10000000'],
    [
      '--input-file a --fixed-schedule --dataset-sampling-strategy shuffle',
      'cannot use --dataset-sampling-strategy shuffle with --fixed-schedule',
    ],
    ['--fixed-schedule-end-offset 4', '--fixed-schedule-end-offset requires --fixed-schedule'],
    [
      '--input-file a --fixed-schedule --fixed-schedule-start-offset 9 --fixed-schedule-end-offset 4',
      'invalid --fixed-schedule-end-offset 4: expected a number of milliseconds, at least 9',
    ],
  ])('rejects %s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });
});

describe('an input file', () => {
  const OPTIONS = ['--use-server-token-count', '--no-server-metrics'];

  function writeInputs(lines: readonly object[]): string {
    const file = join(makeTestFolder(), 'inputs.jsonl');
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }

  test('with timestamps is replayed on its schedule', async () => {
    const file = writeInputs([
      { timestamp: 1000, input_length: 20, output_length: 4, hash_ids: [1] },
      { timestamp: 1150, input_length: 30, output_length: 5, hash_ids: [2] },
      { timestamp: 1300, input_length: 10, output_length: 6, hash_ids: [3] },
    ]);
    const args = ['--input-file', file, '--fixed-schedule', '--extra-inputs', 'ignore_eos:true'];
    const { folder, document } = await runProfile(url, [...args, ...OPTIONS]);
    const { records } = await readClientExports(folder);
    const inSendOrder = [...records].sort((a, b) =>
      Number(a.metadata.credit_issued_ns! - b.metadata.credit_issued_ns!),
    );
    expect(inSendOrder.map(({ metrics }) => metrics.requested_osl!.value)).toEqual([4, 5, 6]);
    const times = inSendOrder.map(({ metadata }) => metadata.credit_issued_ns!);
    expect(times.slice(1).map((time, index) => Number(time - times[index]!) / 1e6)).toEqual([150, 150]);
    expect(document.load_generator).toMatchObject({ stop_reason: 'schedule', unsent_requests: 0 });
  });

  test('with conversations sends their turns in order', async () => {
    const file = writeInputs([
      {
        session_id: 'a',
        turns: [
          { text: 'one', output_length: 3 },
          { text: 'two', output_length: 3 },
        ],
      },
      { session_id: 'b', turns: [{ text: 'three', output_length: 3 }] },
    ]);
    const { folder } = await runProfile(url, ['--input-file', file, '--num-sessions', '2', ...OPTIONS]);
    const { records } = await readClientExports(folder);
    expect(records.map(({ metadata }) => [metadata.conversation_id, metadata.turn_index])).toEqual([
      ['a', 0],
      ['a', 1],
      ['b', 0],
    ]);
  });
});
