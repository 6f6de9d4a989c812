import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@org/loadgen';
import { expect, test } from 'vitest';
import type { InputPlan } from '../../src/plan/profilePlan.ts';
import { describeInputs, withInputErrors } from '../../src/profile/inputs.ts';
import { createFolder } from '../plans.ts';

const PLAN: InputPlan = {
  inputTokens: { mean: 20, stddev: 0 },
  sampling: 'sequential',
  fixedSchedule: false,
};

function writeInputs(text: string): string {
  const path = join(createFolder(), 'inputs.jsonl');
  writeFileSync(path, text);
  return path;
}

test('describes synthetic inputs with their seed', async () => {
  expect(await describeInputs({ ...PLAN, entries: 5 }, 7)).toEqual({
    kind: 'synthetic',
    inputTokens: { mean: 20, stddev: 0 },
    entries: 5,
    sampling: 'sequential',
    seed: 7,
  });
});

test.each([
  ['chat', true],
  ['responses', true],
  ['completions', undefined],
  ['embeddings', undefined],
] as const)(
  'synthetic inputs of the API %s leave room for the chat template: %s',
  async (endpoint, expected) => {
    const plan = { ...PLAN, appliesChatTemplate: true };
    expect(await describeInputs(plan, 7, endpoint)).toMatchObject({ kind: 'synthetic' });
    expect((await describeInputs(plan, 7, endpoint)).appliesChatTemplate).toBe(expected);
  },
);

test.each([
  ['prompts', '{"text": "hello"}\n', { kind: 'file', allowsTurns: false }],
  ['conversations', '{"turns": [{"text": "hello"}]}\n', { kind: 'file', allowsTurns: true }],
  [
    'a trace',
    '\n{"timestamp": 0, "input_length": 5, "output_length": 3}\n',
    { kind: 'trace', type: 'mooncake_trace' },
  ],
  ['a trace with hashes', '{"hash_ids" : [1]}', { kind: 'trace', type: 'mooncake_trace' }],
  ['a pool', '{"type": "random_pool", "text": "a"}', { kind: 'pool' }],
  ['request bodies', '{"messages": []}', { kind: 'payloads' }],
  ['sessions of request bodies', '{"data": []}', { kind: 'inputsJson' }],
  ['conversations of ShareGPT', '[', { kind: 'shareGpt' }],
])('detects a file of %s', async (_, text, detected) => {
  const file = writeInputs(text);
  expect(await describeInputs({ ...PLAN, file }, 7)).toEqual({
    ...detected,
    path: file,
    sampling: 'sequential',
    seed: 7,
  });
});

test.each([
  ['random_pool', { kind: 'pool', entries: 9, outputTokens: { mean: 4 } }],
  ['sharegpt', { kind: 'shareGpt', outputTokens: { mean: 4 } }],
  ['single_turn', { kind: 'file', allowsTurns: false, outputTokens: { mean: 4 } }],
  ['mooncake_trace', { kind: 'trace', type: 'mooncake_trace', outputTokens: { mean: 4 } }],
] as const)('describes a file of the type %s with its options', async (datasetType, described) => {
  const plan: InputPlan = { ...PLAN, file: '/f', datasetType, entries: 9, outputTokens: { mean: 4 } };
  const source = { path: '/f', sampling: 'sequential', seed: 7 };
  expect(await describeInputs(plan, 7)).toEqual({ ...described, ...source });
});

test.each([
  ['single_turn', { kind: 'file', endpoint: 'raw' }],
  ['random_pool', { kind: 'pool', endpoint: 'raw' }],
  ['raw_payload', { kind: 'payloads', endpoint: 'raw' }],
] as const)('describes the API of a file of the type %s', async (datasetType, described) => {
  const plan: InputPlan = { ...PLAN, file: '/f', datasetType };
  expect(await describeInputs(plan, 7, 'raw')).toMatchObject(described);
});

test('describes the blocks, the corpus and the changes of a trace', async () => {
  const plan: InputPlan = {
    ...PLAN,
    file: '/f',
    datasetType: 'mooncake_trace',
    blockTokens: 64,
    corpus: 'random',
    synthesis: { speedup: 2 },
    delayCapSeconds: 0.5,
  };
  const described = { blockTokens: 64, corpus: 'random', synthesis: { speedup: 2 }, maxDelayMs: 500 };
  expect(await describeInputs(plan, 7)).toMatchObject(described);
});

test('does not read a file if its format is specified', async () => {
  const plan: InputPlan = {
    ...PLAN,
    file: '/no/such/file',
    datasetType: 'mooncake_trace',
    startMs: 10,
    endMs: 20,
  };
  expect(await describeInputs(plan, 7)).toMatchObject({ kind: 'trace', startMs: 10, endMs: 20 });
});

test('throws PlanError for a missing file', async () => {
  await expect(describeInputs({ ...PLAN, file: '/no/such/file' }, 7)).rejects.toMatchObject({
    field: 'inputs.file',
    value: '/no/such/file',
    message: expect.stringMatching(/^invalid inputs\.file "\/no\/such\/file": [a-z ]+$/),
  });
});

test.each([
  ['of synthetic inputs', undefined, new RangeError('mean is 0'), 'inputs', 'mean is 0'],
  [
    'that names a file of the folder',
    'a',
    new InputError('a/b.jsonl:3: no'),
    'inputs.file',
    'b.jsonl line 3: no',
  ],
  [
    'without a line in a file of the folder',
    'a',
    new InputError('a/b/c.parquet cannot be read'),
    'inputs.file',
    'b/c.parquet cannot be read',
  ],
  ['of the whole file', 'a.jsonl', new InputError('a.jsonl: too few'), 'inputs.file', 'too few'],
  ['that names the file', 'a.jsonl', new InputError('a.jsonl:3: no text'), 'inputs.file', 'line 3: no text'],
])('converts an error %s', async (_, file, error, field, reason) => {
  const opening = withInputErrors(file, () => Promise.reject(error));
  await expect(opening).rejects.toMatchObject({ name: 'RunInputError', field, reason });
});

test('does not convert other errors, which indicate a defect', async () => {
  const opening = withInputErrors('a.jsonl', () => Promise.reject(new TypeError('x is undefined')));
  await expect(opening).rejects.toThrow(TypeError);
});
