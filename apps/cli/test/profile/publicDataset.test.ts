import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@org/terminal';
import { afterEach, expect, test, vi } from 'vitest';
import { observeRun } from '../support/observedRun.ts';
import { readProfile, splitWords } from '../support/options.ts';
import { writeHubDataset, writePublicDataset } from '../support/publicDataset.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const FILE = 'ShareGPT_V3_unfiltered_cleaned_split.json';
const HUB_PATH = join('datasets--anon8231489123--ShareGPT_Vicuna_unfiltered', 'snapshots', 'c0ffee', FILE);
function write(folder: string, path: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '[]');
  return join(folder, path);
}

function read(line: string, cwd: string) {
  return readProfile(['-m', 'm', ...splitWords(line)], cwd).plan.inputs;
}

afterEach(() => void vi.unstubAllEnvs());

test('--public-dataset sharegpt reads the file in the Hugging Face cache', () => {
  const hub = makeTestFolder();
  vi.stubEnv('HF_HUB_CACHE', hub);
  const file = write(hub, HUB_PATH);
  const refs = join(hub, 'datasets--anon8231489123--ShareGPT_Vicuna_unfiltered', 'refs');
  mkdirSync(refs);
  writeFileSync(join(refs, 'main'), 'c0ffee');
  expect(read('--public-dataset sharegpt', makeTestFolder())).toMatchObject({
    file,
    datasetType: 'sharegpt',
  });
});

test('--public-dataset sharegpt sends the conversations that AIPerf has stored', async () => {
  const cwd = makeTestFolder();
  writePublicDataset(cwd);
  const server = await startRecordingServer();
  const folder = join(cwd, 'run');
  const words = `profile -m m --url ${server.url} --public-dataset sharegpt --request-count 2 --no-server-metrics --artifact-dir ${folder}`;
  const run = await observeRun(splitWords(words), cwd, folder, server);
  expect(run.code, run.err).toBe(0);
  expect(run.requests.map(({ body }) => [body.messages[0].content, body.max_completion_tokens])).toEqual([
    ['Which questions are in the data set?', 8],
    ['Which questions are in the data set?', 8],
  ]);
});

test.each(['main', 'refs/convert/parquet'])(
  '--public-dataset spec_al_gsm8k sends the rows of its files in the branch %s of the Hugging Face cache',
  async branch => {
    const cwd = makeTestFolder();
    vi.stubEnv('HF_HUB_CACHE', writeHubDataset(cwd, branch));
    const server = await startRecordingServer();
    const folder = join(cwd, 'run');
    const words = `profile -m m --url ${server.url} --public-dataset spec_al_gsm8k --osl 5 --request-count 3 --no-server-metrics --artifact-dir ${folder}`;
    const run = await observeRun(splitWords(words), cwd, folder, server);
    expect(run.code, run.err).toBe(0);
    expect(run.requests.map(({ body }) => [body.messages[0].content, body.max_completion_tokens])).toEqual([
      ['How many is main?', 5],
      ['How much is main?', 5],
      ['How many is main?', 5],
    ]);
    const { input_config: config } = JSON.parse(
      readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8'),
    );
    expect(config.datasets).toMatchObject([{ type: 'public', dataset: 'spec_al_gsm8k', hf_subset: 'main' }]);
  },
);

test.each([
  ['--unique-prompts', 'cannot use both --unique-prompts and --public-dataset spec_al_gsm8k'],
  ['--isl 20', 'cannot use --synthetic-input-tokens-mean with --public-dataset spec_al_gsm8k'],
  ['--prompt-batch-size 2', 'cannot use --prompt-batch-size with --public-dataset spec_al_gsm8k'],
  [
    '--trace-session-sample-ratio .5',
    'requires a baseten_trace (--input-file); --public-dataset spec_al_gsm8k is not one',
  ],
])('rejects %s with a data set', (line, message) => {
  const folder = makeTestFolder();
  vi.stubEnv('HF_HUB_CACHE', writeHubDataset(folder));
  expect(() => read(`--public-dataset spec_al_gsm8k ${line}`, folder)).toThrow(message);
});

test('--hf-subset selects a part of a data set', () => {
  vi.stubEnv('HF_HUB_CACHE', writeHubDataset(makeTestFolder()));
  const cwd = makeTestFolder();
  expect(read('--public-dataset spec_al_gsm8k --hf-subset socratic', cwd).rows).toMatchObject({
    subset: 'socratic',
  });
  expect(() => read('--public-dataset spec_al_gsm8k --hf-subset other', cwd)).toThrow(
    'cannot find the subset "other" of the data set "spec_al_gsm8k": the Hugging Face cache',
  );
});

test.each([
  [
    '--public-dataset aimo',
    'cannot find the data set "aimo": the Hugging Face cache "/nowhere" has no Parquet or JSON files of the split "train" of AI-MO/NuminaMath-TIR; this command downloads them: hf download --repo-type dataset AI-MO/NuminaMath-TIR',
  ],
  [
    '--public-dataset sharegpt',
    `cannot find the data set "sharegpt": it is neither .cache/aiperf/datasets/${FILE} nor in the Hugging Face cache "/nowhere"; this command downloads it: hf download --repo-type dataset anon8231489123/ShareGPT_Vicuna_unfiltered ${FILE}`,
  ],
  ['--public-dataset sharegpt --input-file a', 'cannot use both --public-dataset and --input-file'],
  [
    '--public-dataset sharegpt --custom-dataset-type sharegpt',
    'cannot use both --public-dataset and --custom-dataset-type',
  ],
])('rejects %s', (line, message) => {
  vi.stubEnv('HF_HUB_CACHE', '/nowhere');
  expect(() => read(line, makeTestFolder())).toThrow(UsageError);
  expect(() => read(line, makeTestFolder())).toThrow(message);
});

test.each([
  [
    'blazedit_5k',
    'AIPerf\'s value "blazedit_5k" of --public-dataset is not available yet; instead, download vdaita/edit_5k_char with "hf download --repo-type dataset vdaita/edit_5k_char", write a file with one line such as {"text":"..."} per prompt, and use --input-file FILE',
  ],
  ['librispeech', 'write a file with one line such as {"text":"...","audio":"a.wav"} per row'],
  ['semianalysis-cc-traces-weka', 'instead, convert the trace to mooncake_trace'],
  ['speed-bench-throughput-1k-mixed', 'instead, convert each line of SPEED-Bench'],
  ['other', 'invalid --public-dataset "other": expected one of sharegpt, aimo'],
])('--public-dataset %s names what to use instead', (name, message) => {
  expect(() => read(`--public-dataset ${name}`, makeTestFolder())).toThrow(message);
});
