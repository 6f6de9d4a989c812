import type { RequestRecord } from '@org/loadgen';
import { expect, test } from 'vitest';
import { createRequestRedactor, redactFailure } from '../../src/profile/secrets.ts';

const redactor = createRequestRedactor({
  apiKey: 'key-of-mine',
  headers: { Authorization: 'Bearer token-in-header', 'X-Team': 'blue' },
  extraInputs: { user: 'me', nested: { list: [{ api_key: 'deep-key' }] } },
  urls: ['me:pass%2Fword@a:1', 'https://b/v1?token=in-query&user=me'],
  path: '/v1/chat?api_key=in-path&user=me',
});

test.each([
  ['Incorrect API key provided: key-of-mine.', 'Incorrect API key provided: <redacted>.'],
  ['unknown token token-in-header', 'unknown token <redacted>'],
  ['got "Bearer token-in-header"', 'got "<redacted>"'],
  ['team blue of me', 'team blue of me'],
  ['deep-key is no key', '<redacted> is no key'],
  ['no such key: in-path, me', 'no such key: <redacted>, me'],
  [
    'bad credentials: Basic bWU6cGFzcy93b3Jk, me:pass/word',
    'bad credentials: Basic <redacted>, me:<redacted>',
  ],
  ['redirects to https://me:pass%2Fword@c/?t=in-query', 'redirects to https://me:<redacted>@c/?t=<redacted>'],
])('redacts only secrets: %s', (message, redacted) => {
  expect(redactor.redact(message)).toBe(redacted);
});

test('returns the same record if there is nothing to redact', () => {
  const createFailedRecord = (message: string) =>
    ({ failure: { type: 'HttpError', message } }) as RequestRecord;
  const plain = createFailedRecord('slow down');
  expect(redactFailure(plain, redactor)).toBe(plain);
  expect(redactFailure(createFailedRecord('no key-of-mine'), redactor).failure).toEqual({
    type: 'HttpError',
    message: 'no <redacted>',
  });
});
