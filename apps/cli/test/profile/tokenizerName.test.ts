import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { getHubPath, sendError, sendFile, startHub } from '../../../../packages/loadgen/test/support/hub.ts';
import { WORD_TOKENIZER } from '../../../../packages/loadgen/test/support/tokenizer.ts';
import { type ObservedRun, observeRun } from '../support/observedRun.ts';
import { readProfile, splitWords } from '../support/options.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { makeSuiteFolder, makeTestFolder } from '../support/temporaryFolder.ts';

const hub = makeSuiteFolder();
const previous = process.env.HF_HUB_CACHE;
/** Removes the default tokenizer of the tests. */
const NO_DEFAULT = { SERVELENS_TOKENIZER: '' };

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
  ['-m Qwen/Qwen3-0.6B --tokenizer-revision v3', 'Qwen/Qwen3-0.6B@v3'],
  ['-m Qwen/Qwen3-0.6B --tokenizer builtin', 'o200k_base'],
  ['-m Qwen/Qwen3-0.6B,other', 'Qwen/Qwen3-0.6B'],
  ['-m served-name', 'served-name'],
  ['-m mock-model', 'o200k_base'],
  ['-m Test_Model-7b', 'o200k_base'],
  ['-m test', 'o200k_base'],
  ['-m contest', 'contest'],
  ['-m acme/mock-model', 'acme/mock-model'],
  ['-m mock-model --tokenizer Qwen/Qwen3-0.6B', 'Qwen/Qwen3-0.6B'],
  ['-m served-name --tokenizer Qwen/Qwen3-0.6B', 'Qwen/Qwen3-0.6B'],
  ['-m served-name --tokenizer Qwen/Qwen3-0.6B --tokenizer-revision v2', 'Qwen/Qwen3-0.6B@v2'],
  ['-m served-name --tokenizer /models/tokenizer.json --tokenizer-revision v2', '/models/tokenizer.json'],
])('the tokenizer of %s is %s', (line, tokenizer) => {
  expect(readProfile(splitWords(line), undefined, NO_DEFAULT).plan.tokenizer).toBe(tokenizer);
});

test('SERVELENS_TOKENIZER sets the default of --tokenizer', () => {
  const env = { SERVELENS_TOKENIZER: 'Qwen/Qwen3-0.6B' };
  expect(readProfile(['-m', 'm'], undefined, env).plan.tokenizer).toBe('Qwen/Qwen3-0.6B');
  expect(readProfile(['-m', 'm', '--tokenizer', 'builtin'], undefined, env).plan.tokenizer).toBe(
    'o200k_base',
  );
});

test('a model that is a folder has the tokenizer in the folder', () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(WORD_TOKENIZER));
  expect(readProfile(['-m', folder], undefined, NO_DEFAULT).plan.tokenizer).toBe(folder);
});

/** Runs 2 requests with a hub, without the default that the tests set. */
async function runWithHub(
  words: string,
  endpoint: string,
  cache: string = makeTestFolder(),
): Promise<ObservedRun> {
  const server = await startRecordingServer();
  const folder = join(makeTestFolder(), 'run');
  const fixed = `--url ${server.url} --request-count 2 --no-server-metrics --artifact-dir ${folder}`;
  const variables = { HF_HUB_CACHE: cache, HF_ENDPOINT: endpoint, HF_HOME: cache, ...NO_DEFAULT };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return await observeRun(splitWords(`profile ${fixed} ${words}`), makeTestFolder(), folder, server);
}

/** A hub that is not reachable. */
const CLOSED = 'http://127.0.0.1:2';

test('counts tokens with the tokenizer of the model, and records its name', async () => {
  const run = await runWithHub('-m Qwen/Qwen3-0.6B --isl 5 --token-count client', CLOSED, hub);
  expect(run.code).toBe(0);
  const document = run.readJson('profile_export_aiperf.json');
  expect(document.load_generator.tokenizer).toBe('Qwen/Qwen3-0.6B');
  expect(document.input_sequence_length.avg).toBe(5);
});

test.each(['', '--workers 1'])('downloads the tokenizer of a model from the hub %s', async words => {
  const { url } = await startHub({ [getHubPath('acme/words')]: response => sendFile(response) });
  const run = await runWithHub(`-m acme/words --isl 5 --token-count client ${words}`, url);
  expect([run.code, run.err]).toEqual([
    0,
    expect.stringContaining(`downloading the tokenizer of acme/words from ${url}`),
  ]);
  const document = run.readJson('profile_export_aiperf.json');
  expect(document.load_generator.tokenizer).toBe('acme/words');
  expect(document.input_sequence_length.avg).toBe(5);
});

test.each([
  ['the model', '-m acme/other'],
  ['--tokenizer', '-m m --tokenizer acme/other'],
  ['the model of a sweep', '-m acme/other --concurrency 1,2'],
])(
  'a run without the tokenizer of %s ends with exit code 2, the reason and the options',
  async (_, words) => {
    const { url } = await startHub({
      [getHubPath('acme/other')]: response => sendError(response, 404, 'RepoNotFound'),
    });
    const run = await runWithHub(words, url);
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.err).toContain(
      'cannot find the tokenizer of "acme/other": it is not in a folder of this name',
    );
    expect(run.err).toContain(`and ${url} has no such model, or HF_TOKEN has no access to it`);
    expect(run.err).toContain('use --tokenizer DIR, a folder with a tokenizer.json, or --tokenizer builtin');
  },
);

test.each([
  ['prompts of a file', 'prompts.jsonl', { text: 'hello' }, '--use-server-token-count'],
  [
    'recorded bodies',
    'bodies.jsonl',
    { messages: [{ role: 'user', content: 'hi' }] },
    '--use-server-token-count',
  ],
])('a run with %s and the token counts of the server needs no tokenizer', async (_, name, line, words) => {
  const file = join(makeTestFolder(), name);
  writeFileSync(file, `${JSON.stringify(line)}\n`);
  const run = await runWithHub(`-m acme/other --input-file ${file} ${words}`, CLOSED);
  expect([run.code, run.requests.length]).toEqual([0, 2]);
});

test('a run whose requests have no tokens needs no tokenizer', async () => {
  const run = await runWithHub(
    '-m acme/other --endpoint-type image_retrieval --image-width-mean 8 --image-height-mean 8',
    CLOSED,
  );
  expect([run.code, run.requests.length]).toEqual([0, 2]);
});

test('names the placeholder whose tokenizer is the built-in one', async () => {
  const run = await runWithHub('-m mock-model', CLOSED);
  expect([run.code, run.err]).toEqual([
    0,
    expect.stringContaining(
      'the model name "mock-model" is a placeholder, so the built-in tokenizer o200k_base is used',
    ),
  ]);
});
