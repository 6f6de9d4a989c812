import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeRun } from '../support/observedRun.ts';
import { splitWords } from '../support/options.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const server = await startRecordingServer();
const cwd = makeSuiteFolder();
const IMAGE = join(cwd, 'a.png');
const CLIP = join(cwd, 'a.wav');
writeFileSync(IMAGE, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
writeFileSync(CLIP, 'RIFF');
const IMAGE_URL = 'data:image/png;base64,iVBORw0KGgo=';
let runs = 0;

/** Runs `servelens profile` with one request of an input file that has one line. */
function run(line: object, words: string) {
  runs += 1;
  const [folder, file] = [join(cwd, `run-${runs}`), join(cwd, `inputs-${runs}.jsonl`)];
  writeFileSync(file, JSON.stringify(line));
  const base = `--model m --url ${server.url} --input-file ${file} --request-count 1 --artifact-dir ${folder}`;
  return observeRun(['profile', ...splitWords(`${base} ${words}`)], cwd, folder, server);
}

const text = { type: 'text', text: 'hi' };
const image = { type: 'image_url', image_url: { url: IMAGE_URL } };
const ranking = {
  texts: [
    { name: 'query', contents: ['?'] },
    { name: 'passages', contents: ['p', 'q'] },
  ],
};

test.each<[title: string, line: object, words: string, body: object]>([
  [
    'the image of a file',
    { text: 'hi', image: IMAGE },
    '',
    { messages: [{ role: 'user', content: [text, image] }] },
  ],
  [
    'an audio clip of a pool',
    { text: 'hi', audios: [CLIP] },
    '--custom-dataset-type random_pool',
    {
      messages: [
        {
          role: 'user',
          content: [text, { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
        },
      ],
    },
  ],
  [
    'the image of a turn, by its URL',
    { turns: [{ text: 'hi', image: 'http://h/x' }] },
    '--endpoint-type responses',
    {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'hi' },
            { type: 'input_image', image_url: 'http://h/x' },
          ],
        },
      ],
    },
  ],
  ['a ranking', ranking, '--endpoint-type cohere_rankings', { query: '?', documents: ['p', 'q'] }],
  ['several texts', { texts: ['a', 'b'] }, '--endpoint-type embeddings', { input: ['a', 'b'] }],
  ['additional fields', { text: 'hi', extra: { top_k: 3 } }, '', { top_k: 3 }],
  [
    'a recorded body without messages',
    { a: 1 },
    '--endpoint-type raw --endpoint /x --custom-dataset-type raw_payload',
    { a: 1 },
  ],
  [
    'the output length of a trace without one',
    { input_length: 5 },
    '--osl 7 --custom-dataset-type mooncake_trace',
    { max_completion_tokens: 7 },
  ],
])('sends %s', async (_, line, words, body) => {
  const { requests, err } = await run(line, words);
  expect(requests[0]?.body, err).toMatchObject(body);
  expect(err).not.toContain('has no effect');
});

test.each([
  [{ text: 'a', image: '/no/x.png' }, '', 'line 1: image is "/no/x.png", which cannot be read: no such file'],
  [{ text: 'a', image: IMAGE }, '--endpoint-type completions', 'line 1: field "image" cannot be sent'],
  [{ text: 'a' }, '--endpoint-type nim_rankings', 'line 1: a text without a name for the API nim_rankings'],
  [{ text: 'a' }, '--endpoint-type image_edit', 'line 1: missing images'],
  [{ a: 1 }, '--custom-dataset-type raw_payload', 'line 1: messages is undefined'],
])('%j %s: exits with 2, and names the line and what is accepted', async (line, words, message) => {
  const { code, err, requests } = await run(line, words);
  expect([code, requests.length]).toEqual([2, 0]);
  expect(err).toContain(message);
});
