import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeRun } from '../support/observedRun.ts';
import { splitWords } from '../support/options.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const server = await startRecordingServer();
const cwd = makeSuiteFolder();
writeFileSync(join(cwd, 'body.j2'), '{"file": {{ text|tojson }}}');
let runs = 0;

/** Runs `servelens profile` with two requests. */
function run(words: string, ...values: readonly string[]) {
  runs += 1;
  const folder = join(cwd, `run-${runs}`);
  const base = `--model m --url ${server.url} --isl 5 --request-count 2 --random-seed 7 --artifact-dir ${folder}`;
  return observeRun(['profile', ...splitWords(`${base} ${words}`), ...values], cwd, folder, server);
}

test('the length of a batch is the length of all its texts, and metrics of output are absent', async () => {
  const { requests, readJson } = await run('--endpoint-type embeddings -b 4 --token-count client');
  expect(requests[0]!.body.input).toHaveLength(4);
  const document = readJson('profile_export_aiperf.json');
  expect(document.input_sequence_length.avg).toBe(20);
  expect(document.request_count.avg).toBe(2);
  expect([document.output_token_count, document.time_to_first_token]).toEqual([undefined, undefined]);
});

test('a ranking counts the tokens of the query and the passages, and its configuration is recorded', async () => {
  const options =
    '--rankings-passages-mean 3 --rankings-passages-prompt-token-mean 6 --rankings-query-prompt-token-mean 2';
  const { readJson } = await run(`--endpoint-type cohere_rankings --token-count client ${options}`);
  const document = readJson('profile_export_aiperf.json');
  expect(document.input_sequence_length.avg).toBe(20);
  expect(document.input_config.datasets[0].rankings).toEqual({
    passages: { mean: 3 },
    passage_tokens: { mean: 6 },
    query_tokens: { mean: 2 },
  });
  expect(document.output_token_count).toBeUndefined();
});

test('inputs.json has the bodies as they were sent', async () => {
  const { requests, readJson } = await run('--endpoint-type hf_tei_rankings --num-dataset-entries 2');
  const { data } = readJson('inputs.json');
  expect(data.map(({ payloads }: { payloads: unknown[] }) => payloads[0])).toEqual(
    requests.map(({ body }) => body),
  );
});

test('raw records of images contain the request as sent', async () => {
  const { requests, read } = await run('--export-level raw --image-width-mean 4');
  const [line] = read('profile_export_raw.jsonl').trim().split('\n');
  expect(JSON.parse(line!).payload).toEqual(requests[0]!.body);
});

test('a template renders bodies, and other fields are added to them', async () => {
  const { requests } = await run(
    '--endpoint-type template --endpoint /x --osl 4 --extra-inputs',
    'payload_template:{"q": {{ text|tojson }}, "n": {{ max_tokens }}}',
    '--extra-inputs',
    'k:5',
    '--extra-inputs',
    'response_field:choices[0].message.content',
  );
  expect(requests[0]).toMatchObject({ path: '/x', body: { q: expect.any(String), n: 4, k: 5 } });
});

test.each([
  ['a file', 'payload_template:body.j2', { file: expect.any(String) }],
  ['a name of AIPerf', 'payload_template:nv-embedqa', { text: [expect.any(String)] }],
])('a template is read from %s', async (_, field, body) => {
  const { requests } = await run('--endpoint-type template --endpoint /x --extra-inputs', field);
  expect(requests[0]!.body).toEqual(body);
});

test.each(['--image-batch-size 0 --audio-batch-size 0', '--image-width-mean 8 --image-batch-size 0'])(
  '%s: requests contain only text',
  async words => {
    const { code, requests } = await run(words);
    expect(code).toBe(0);
    expect(requests.map(({ body }) => typeof body.messages[0].content)).toEqual(['string', 'string']);
  },
);

test.each([
  ['--endpoint-type template', 'requires --extra-inputs'],
  ['--endpoint-type template --extra-inputs payload_template:{{', '--extra-inputs: '],
  ['--endpoint-type raw', 'the API raw sends only recorded bodies'],
  ['--endpoint-type image_edit', 'requires --image-width-mean PIXELS'],
  ['--image-width-mean 4 --image-source assets', 'the images of AIPerf are not available'],
  ['--image-width-mean 4 --image-source missing', 'invalid --image-source "missing"'],
  ['--audio-length-mean 1 --audio-depths 12', 'invalid --audio-depths'],
  ['--per-chunk-usage', '--per-chunk-usage requires --streaming'],
])('%s: exits with 2 and a message', async (words, message) => {
  const { code, err, requests } = await run(words);
  expect([code, requests.length]).toEqual([2, 0]);
  expect(err).toContain(message);
});
