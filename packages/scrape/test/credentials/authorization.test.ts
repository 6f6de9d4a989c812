import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Authorization,
  createBasicAuthorization,
  createBasicFileAuthorization,
  createBearerAuthorization,
  createBearerFileAuthorization,
  createPasswordFileAuthorization,
} from '../../src/credentials/authorization.ts';
import { CredentialFileError } from '../../src/credentials/credentialFile.ts';
import { Fetcher } from '../../src/http/fetcher.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';
import { respondWith, ScriptedServer } from '../support/scriptedServer.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authorization-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeSecret(content: string): string {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
}

const formatBasic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

test.each<[string, () => Authorization, string]>([
  ['a token', () => createBearerAuthorization('t0ken'), 'Bearer t0ken'],
  [
    'a file with a token',
    () => createBearerFileAuthorization(writeSecret('\uFEFFt0ken\r\n')),
    'Bearer t0ken',
  ],
  ['a user and a password', () => createBasicAuthorization('me', 'p:ä'), formatBasic('me:p:ä')],
  [
    'a file with a user and a password',
    () => createBasicFileAuthorization(writeSecret('me:p:w d\n')),
    formatBasic('me:p:w d'),
  ],
  [
    'a user and a file with a password',
    () => createPasswordFileAuthorization('me', writeSecret('pw\n')),
    formatBasic('me:pw'),
  ],
])('creates the header from %s', async (_, createAuthorization, header) => {
  expect(await createAuthorization().readHeader()).toBe(header);
});

test('lists secrets in every form that is sent', () => {
  const encoded = formatBasic('me:hunter2').slice('Basic '.length);
  expect(createBasicAuthorization('me', 'hunter2').listSecrets()).toEqual(['hunter2', encoded]);
  expect(createPasswordFileAuthorization('me', writeSecret('hunter2')).listSecrets()).toEqual([
    'hunter2',
    encoded,
  ]);
  expect(createBearerFileAuthorization(writeSecret('t0ken')).listSecrets()).toEqual(['t0ken']);
});

describe('rejects an invalid file without quoting its content', () => {
  test.each<[string, (path: string) => Authorization, string, RegExp]>([
    [
      'an empty file',
      createBearerFileAuthorization,
      '\n',
      /^invalid bearer token file ".*secret": the file is empty; expected one line/,
    ],
    [
      'several lines',
      createBearerFileAuthorization,
      'hunter2\nhunter3',
      /contains 2 lines; expected one line$/,
    ],
    [
      'a token with whitespace',
      createBearerFileAuthorization,
      'Bearer hunter2',
      /contains whitespace or another invalid character; expected only a token$/,
    ],
    [
      'binary data',
      createBearerFileAuthorization,
      'hunter2\0',
      /contains control characters; expected one line of text$/,
    ],
    [
      'a large file',
      createBearerFileAuthorization,
      'hunter2'.repeat(10_000),
      /contains 70000 bytes; expected one line of at most 65536 bytes$/,
    ],
    [
      'a large file with characters of several bytes',
      createBearerFileAuthorization,
      '模'.repeat(30_000),
      /contains 90000 bytes; expected one line of at most 65536 bytes$/,
    ],
    [
      'a file without a user',
      createBasicFileAuthorization,
      'hunter2',
      /^invalid basic auth file ".*secret": contains no colon; expected user:password$/,
    ],
  ])('%s', (_, createAuthorization, content, message) => {
    const path = writeSecret(content);
    expect(() => createAuthorization(path)).toThrow(CredentialFileError);
    expect(() => createAuthorization(path)).toThrow(message);
    expect(() => createAuthorization(path)).toThrow(/^((?!hunter).)*$/);
  });

  test.each([
    ['a missing file', 'none', /: no such file or folder$/],
    ['a folder', '.', /: is a folder, not a file$/],
  ])('%s', (_, name, message) => {
    expect(() => createBearerFileAuthorization(join(folder, name))).toThrow(message);
  });
});

describe('a rotated token', () => {
  test('is read after a rejection; the old token is still redacted', async () => {
    const authorization = createBearerFileAuthorization(writeSecret('old'));
    expect(await authorization.renew()).toBe(false);
    writeSecret('new');
    expect(await authorization.renew()).toBe(true);
    expect(await authorization.readHeader()).toBe('Bearer new');
    expect(authorization.listSecrets()).toEqual(['new', 'old']);
  });

  test('is read after one second without a rejection', async () => {
    const authorization = createBearerFileAuthorization(writeSecret('old'));
    writeSecret('new');
    await new Promise(resolve => setTimeout(resolve, 1100));
    expect(await authorization.readHeader()).toBe('Bearer new');
  });

  test('is ignored while the file is empty or missing', async () => {
    const authorization = createBearerFileAuthorization(writeSecret('old'));
    writeSecret('');
    expect(await authorization.renew()).toBe(false);
    rmSync(join(folder, 'secret'));
    expect(await authorization.renew()).toBe(false);
    expect(await authorization.readHeader()).toBe('Bearer old');
  });

  test('is used to retry a rejected scrape', async () => {
    let accepted = 'Bearer old';
    const server = await ScriptedServer.start((request, response) => {
      const isGood = request.headers.authorization === accepted;
      respondWith(isGood ? 'a 1\n' : 'no', {}, isGood ? 200 : 401)(request, response);
    });
    const fetcher = new Fetcher({
      clock: createSystemClock(),
      limits: { timeoutMs: 5000, encodedBytes: 1000, decodedBytes: 1000 },
      authorization: createBearerFileAuthorization(writeSecret('old')),
    });
    try {
      expect((await fetcher.fetch(server.url())).failure).toBeUndefined();
      writeSecret('new');
      accepted = 'Bearer new';
      expect((await fetcher.fetch(server.url())).failure).toBeUndefined();
      expect(server.requestedUrls).toHaveLength(3);
      accepted = 'Bearer none';
      expect((await fetcher.fetch(server.url())).failure).toMatchObject({ reason: 'unauthorized' });
      expect(server.requestedUrls).toHaveLength(4);
    } finally {
      await fetcher.close();
      await server.stop();
    }
  });
});
