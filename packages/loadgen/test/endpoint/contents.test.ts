import { expect, test } from 'vitest';
import { listCountedTexts, parseAudio, parseDataUrl } from '../../src/endpoint/contents.ts';

test.each([
  ['wav,QUJD', { format: 'wav', data: 'QUJD' }],
  ['data:audio/mp3;base64,QUJD', { format: 'mp3', data: 'QUJD' }],
])('splits the audio clip %s', (clip, expected) => {
  expect(parseAudio(clip)).toEqual(expected);
});

test.each([
  ['data:image/png;base64,QUJD', { mediaType: 'image/png', data: 'QUJD' }],
  ['data:,QUJD', { mediaType: 'application/octet-stream', data: 'QUJD' }],
  ['https://example.com/a.png', undefined],
])('splits the URL %s', (url, expected) => {
  expect(parseDataUrl(url)).toEqual(expected);
});

test.each([
  [{ text: 'one' }, ['one']],
  [{ text: 'one', contents: { texts: ['one', 'two'] } }, ['one', 'two']],
  [{ text: 'query', contents: { passages: ['a', 'b'] } }, ['query', 'a', 'b']],
  [{ text: 'one', contents: { images: ['https://h/a.png'] } }, ['one']],
])('counts the tokens of all texts of %j', (turn, expected) => {
  expect(listCountedTexts(turn)).toEqual(expected);
});
