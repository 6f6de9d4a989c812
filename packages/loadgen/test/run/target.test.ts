import { expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';
import { addressesOf, headersOf } from '../../src/run/target.ts';

const target = { model: 'm', streaming: true };

test.each([
  ['localhost:8000', undefined, 'http://localhost:8000', '/v1/chat/completions'],
  ['http://h:1/', undefined, 'http://h:1', '/v1/chat/completions'],
  ['https://h/base', undefined, 'https://h', '/base/v1/chat/completions'],
  ['http://h/v1', undefined, 'http://h', '/v1/chat/completions'],
  ['http://h/v1/chat/completions', undefined, 'http://h', '/v1/chat/completions'],
  ['http://h/x?key=1', '/generate', 'http://h', '/x/generate?key=1'],
  ['http://[::1]:80', 'generate', 'http://[::1]', '/generate'],
])('%s and %s', (url, path, origin, expected) => {
  const given = { ...target, urls: [url], ...(path === undefined ? {} : { path }) };
  expect(addressesOf(given, chat)).toEqual([{ url, origin, path: expected, authorization: undefined }]);
});

test.each([
  ['http://me:p%40ss@h:1/x', 'http://h:1/x'],
  ['http://me:p@ss@h:1/x', 'http://h:1/x'],
  ['me:p%40ss@h:1/x', 'h:1/x'],
  ['http://me:p%40ss@h:1?to=a@b', 'http://h:1?to=a@b'],
])('the name and the password in %s become a header, and are not shown', (given, url) => {
  const [address] = addressesOf({ ...target, urls: [given] }, chat);
  expect(address).toMatchObject({ url, origin: 'http://h:1' });
  expect(address!.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});

test('a header of the user takes the place of ours, whatever its letters', () => {
  const headers = headersOf({
    ...target,
    urls: [],
    apiKey: 'k',
    headers: { AUTHORIZATION: 'Basic x', Accept: '*/*' },
  });
  const pairs = Array.from({ length: headers.length / 2 }, (_, i) => [headers[2 * i], headers[2 * i + 1]]);
  expect(pairs).toContainEqual(['AUTHORIZATION', 'Basic x']);
  expect(pairs).toContainEqual(['Accept', '*/*']);
  expect(pairs).toHaveLength(5);
});
