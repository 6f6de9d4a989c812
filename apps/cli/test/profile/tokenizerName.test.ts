import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WORD_TOKENIZER } from '../../../../packages/loadgen/test/support/tokenizer.ts';
import { observeRun } from '../support/observedRun.ts';
import { readProfile, splitWords } from '../support/options.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { makeSuiteFolder, makeTestFolder } from '../support/temporaryFolder.ts';

const hub = makeSuiteFolder();
const previous = process.env.HF_HUB_CACHE;

beforeAll(() => {
  const model = join(hub, 'models--Qwen--Qwen3-0.6B');
  for (const commit of ['aaaa', 'bbbb']) {
    const snapshot = join(model, 'snapshots', commit);
    mkdirSync(snapshot, { recursive: true });
    writeFileSync(join(snapshot, 'tokenizer.json'), JSON.stringify(WORD_TOKENIZER));
  }
  mkdirSync(join(model, 'refs'));
  writeFileSync(join(model, 'refs', 'main'), 'aaaa');
  writeFileSync(join(model, 'refs', 'v2'), 'bbbb');
  process.env.HF_HUB_CACHE = hub;
});

afterAll(() => {
  if (previous === undefined) delete process.env.HF_HUB_CACHE;
  else process.env.HF_HUB_CACHE = previous;
});

test.each([
  ['-m Qwen/Qwen3-0.6B', 'Qwen/Qwen3-0.6B'],
  ['-m Qwen/Qwen3-0.6B --tokenizer-revision v2', 'Qwen/Qwen3-0.6B@v2'],
  ['-m Qwen/Qwen3-0.6B --tokenizer-revision v3', 'o200k_base'],
  ['-m Qwen/Qwen3-0.6B --tokenizer builtin', 'o200k_base'],
  ['-m Qwen/Qwen3-0.6B,other', 'Qwen/Qwen3-0.6B'],
  ['-m served-name', 'o200k_base'],
  ['-m served-name --tokenizer Qwen/Qwen3-0.6B', 'Qwen/Qwen3-0.6B'],
  ['-m served-name --tokenizer Qwen/Qwen3-0.6B --tokenizer-revision v2', 'Qwen/Qwen3-0.6B@v2'],
  ['-m served-name --tokenizer /models/tokenizer.json --tokenizer-revision v2', '/models/tokenizer.json'],
])('the tokenizer of %s is %s', (line, tokenizer) => {
  expect(readProfile(splitWords(line)).plan.tokenizer).toBe(tokenizer);
});

test('a model that is a folder has the tokenizer in the folder', () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(WORD_TOKENIZER));
  expect(readProfile(['-m', folder]).plan.tokenizer).toBe(folder);
});

test('counts tokens with the tokenizer of the model, and records its name', async () => {
  const server = await startRecordingServer();
  const folder = join(makeTestFolder(), 'run');
  const words = `profile -m Qwen/Qwen3-0.6B --url ${server.url} --isl 5 --request-count 2 --no-server-metrics --token-count client --artifact-dir ${folder}`;
  const run = await observeRun(splitWords(words), hub, folder, server);
  expect(run.code).toBe(0);
  const document = run.readJson('profile_export_aiperf.json');
  expect(document.load_generator.tokenizer).toBe('Qwen/Qwen3-0.6B');
  expect(document.input_sequence_length.avg).toBe(5);
});

test('names --tokenizer and how to get it if a tokenizer is missing', async () => {
  const server = await startRecordingServer();
  const folder = join(makeTestFolder(), 'run');
  const words = `profile -m m --url ${server.url} --tokenizer Qwen/Other --artifact-dir ${folder}`;
  const run = await observeRun(splitWords(words), hub, folder, server);
  expect([run.code, run.requests]).toEqual([2, []]);
  expect(run.err).toContain(
    'invalid --tokenizer "Qwen/Other": no such file or folder, and not in the Hugging Face cache',
  );
  expect(run.err).toContain('hf download Qwen/Other tokenizer.json tokenizer_config.json');
});
