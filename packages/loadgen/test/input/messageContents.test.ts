import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { EndpointName } from '../../src/endpoint/endpoint.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { openPoolInputs } from '../../src/input/poolInputs.ts';
import { writeJsonl, writeTempFile } from '../support/files.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe0', 'latin1');
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`;
const JPEG_URL = `data:image/jpeg;base64,${JPEG.toString('base64')}`;

/** Writes files of each kind to a temporary folder. Returns the path of a file of the folder by its name. */
function writeMedia(): (name: string) => string {
  const folder = dirname(writeTempFile('unused', ''));
  const files = {
    'a.png': PNG,
    'b.dat': JPEG,
    'c.WAV': 'RIFF',
    'd.mp3': 'ID3',
    'e.webm': 'w',
    'f.gif': 'GIF89a',
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return name => join(folder, name);
}

test('images, audio clips and videos of files are encoded, by their contents or names', async () => {
  const at = writeMedia();
  const path = writeJsonl(
    { text: 'a', image: at('a.png') },
    { text: 'b', images: [at('b.dat'), { name: 'n', contents: [at('a.png')] }], audio: at('c.WAV') },
    { audios: [at('d.mp3')], video: at('e.webm') },
    { turns: [{ text: 'd', image: at('a.png') }, 'e'] },
  );
  const inputs = await openFileInputs(path);
  expect([0, 1, 2, 3].map(index => inputs.getConversation(index).turns)).toEqual([
    [{ text: 'a', contents: { images: [PNG_URL] } }],
    [{ text: 'b', contents: { images: [JPEG_URL, PNG_URL], audios: ['wav,UklGRg=='] } }],
    [{ text: '', contents: { audios: ['mp3,SUQz'], videos: ['data:video/webm;base64,dw=='] } }],
    [{ text: 'd', contents: { images: [PNG_URL] } }, { text: 'e' }],
  ]);
});

test.each([
  ['image', 'https://host/x.gif'],
  ['image', 'data:image/gif;base64,AA=='],
  ['audio', 'wav,AA=='],
  ['audio', 'data:audio/wav;base64,AA=='],
  ['video', 'http://host/v'],
])('the %s %s is sent as it is', async (kind, value) => {
  const inputs = await openFileInputs(writeJsonl({ text: 'a', [kind]: value }));
  expect(inputs.getConversation(0).turns[0]!.contents).toEqual({ [`${kind}s`]: [value] });
});

test('several texts, and additional fields of the body, are read', async () => {
  const inputs = await openFileInputs(
    writeJsonl({ texts: ['a', { name: 'n', contents: ['b', 'c'] }], images: [], extra: { n: 2 } }),
  );
  expect(inputs.getConversation(0).turns).toEqual([
    { text: 'a', contents: { texts: ['a', 'b', 'c'] }, extra: { n: 2 } },
  ]);
});

const RANKING = {
  texts: [
    { name: 'passages', contents: ['p', 'q'] },
    { name: 'query', contents: ['?'] },
  ],
};

test.each(['nim_rankings', 'cohere_rankings', 'hf_tei_rankings', 'template'] as const)(
  'texts named query and passages are the parts of a ranking of the API %s',
  async endpoint => {
    const path = writeJsonl(RANKING);
    const ranking = { text: '?', contents: { passages: ['p', 'q'] } };
    const [file, pool] = [await openFileInputs(path, { endpoint }), await openPoolInputs(path, { endpoint })];
    expect([file, pool].map(inputs => inputs.getConversation(0).turns)).toEqual([[ranking], [ranking]]);
  },
);

test('named texts are the texts of a message of other APIs', async () => {
  const inputs = await openFileInputs(writeJsonl(RANKING), { endpoint: 'chat' });
  expect(inputs.getConversation(0).turns).toEqual([{ text: 'p', contents: { texts: ['p', 'q', '?'] } }]);
});

test('the files of a pool name their texts', async () => {
  const folder = join(dirname(writeTempFile('unused', '')), 'pool');
  mkdirSync(folder);
  writeFileSync(join(folder, 'passages.jsonl'), '{"texts": ["p", "q"]}');
  writeFileSync(join(folder, 'queries.jsonl'), '{"text": "?"}');
  const inputs = await openPoolInputs(folder, { endpoint: 'cohere_rankings' });
  expect(inputs.getConversation(0).turns).toEqual([{ text: '?', contents: { passages: ['p', 'q'] } }]);
});

test('a request of a pool has the images of all its lines', async () => {
  const path = writeJsonl({ texts: ['a', 'b'], images: ['http://h/1', 'http://h/2'], audio: 'wav,AA==' });
  const inputs = await openPoolInputs(path, { endpoint: 'chat' });
  expect(inputs.getConversation(0).turns).toEqual([
    {
      text: 'a',
      contents: { texts: ['a', 'b'], images: ['http://h/1', 'http://h/2'], audios: ['wav,AA=='] },
    },
  ]);
});

const IMAGE = 'expected a URL, a data URL, or the path of a PNG or JPEG file';
const AUDIO = 'expected the path of a .wav or .mp3 file, or its format and data, such as wav,BASE64';

test.each<[line: (at: (name: string) => string) => object, problem: string, expected: string]>([
  [() => ({ image: '/no/x.png' }), 'image is "/no/x.png", which cannot be read: no such file', IMAGE],
  [at => ({ images: ['http://h/a', at('f.gif')] }), 'f.gif", whose format is unknown', IMAGE],
  [at => ({ images: [{ contents: [at('f.gif')] }] }), 'images[0] is ', IMAGE],
  [at => ({ image: dirname(at('a.png')) }), '", a folder', IMAGE],
  [() => ({ image: '/dev/zero' }), 'image is "/dev/zero", which is not a regular file', IMAGE],
  [() => ({ image: 'a\0b' }), 'which cannot be read', IMAGE],
  [() => ({ image: 'x'.repeat(9999) }), `${'x'.repeat(200)}…", which cannot be read`, IMAGE],
  [() => ({ image: 'file:///x.png' }), 'image is "file:///x.png"', IMAGE],
  [() => ({ audio: 'http://h/x.wav' }), 'audio is "http://h/x.wav"', AUDIO],
  [at => ({ audio: at('a.png') }), 'a.png", whose format is unknown', AUDIO],
  [at => ({ video: at('a.png') }), 'format is unknown', 'the path of a .mp4 or .webm file'],
  [() => ({ image: 5 }), 'image is 5', 'expected a string'],
  [() => ({ images: 'x' }), 'images is "x"', 'expected a list of strings'],
  [() => ({ images: [5] }), 'images[0] is 5', 'expected a string, or an object with a list "contents"'],
  [() => ({ image: 'a', images: ['b'] }), 'the fields image and images', 'exclude each other'],
])(
  'rejects invalid contents %#, naming the line and what is accepted',
  async (describe, problem, expected) => {
    const path = writeJsonl({ text: 'a' }, { text: 'b', ...describe(writeMedia()) });
    for (const open of [openFileInputs, openPoolInputs]) {
      const error: Error = await open(path).then(
        () => expect.unreachable(),
        cause => cause,
      );
      expect(error.message.startsWith(`${path}:2: `)).toBe(true);
      expect(error.message).toContain(problem);
      expect(error.message).toContain(expected);
    }
  },
);

test('rejects a huge file', async () => {
  const huge = writeTempFile('huge.wav', '');
  truncateSync(huge, (1 << 25) + 1);
  await expect(openFileInputs(writeJsonl({ audio: huge }))).rejects.toThrow(
    /:1: audio is ".*", a file of more than 32 MiB/,
  );
});

test('reads a file once, even if many lines name it', async () => {
  const large = writeTempFile('large.wav', '');
  truncateSync(large, 1 << 25);
  const lines = Array.from({ length: 20 }, () => ({ audio: large }));
  expect((await openFileInputs(writeJsonl(...lines))).size).toBe(20);
});

test.each<[EndpointName, object, string]>([
  ['completions', { text: 'a', image: 'http://h/x' }, 'field "image" cannot be sent to the API completions'],
  ['messages', { text: 'a', audios: ['wav,A'] }, 'field "audios" cannot be sent to the API messages'],
  ['image_edit', { text: 'a' }, 'missing images; requests to the API image_edit require "images"'],
  ['audio_transcription', { text: 'a' }, 'missing audios; requests to the API audio_transcription'],
  ['cohere_rankings', { text: 'a' }, 'a text without a name for the API cohere_rankings; expected "texts"'],
  ['hf_tei_rankings', { texts: RANKING.texts.slice(1) }, '1 queries and 0 passages for the API hf_tei'],
  ['nim_rankings', { texts: [...RANKING.texts, ...RANKING.texts] }, '2 queries and 4 passages'],
  ['nim_rankings', { texts: [{ name: 'x', contents: ['y'] }] }, 'a text with the name "x" for the API nim'],
])('rejects contents that the API %s cannot send: %j', async (endpoint, line, message) => {
  const path = writeJsonl(line);
  await expect(openFileInputs(path, { endpoint })).rejects.toThrow(`${path}:1: ${message}`);
});
