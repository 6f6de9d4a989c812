import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findCachedTokenizer } from '../../src/tokens/huggingFaceCache.ts';
import { prepareTokenizer } from '../../src/tokens/prepareTokenizer.ts';
import { COMMIT, getHubPath, sendError, sendFile, startHub } from '../support/hub.ts';
import { WORD_TOKENIZER } from '../support/tokenizer.ts';

const MODEL = 'Qwen/Other';

function makeHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-hub-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('downloads the tokenizer of a model into the layout of the Hugging Face cache', async () => {
  const hub = await startHub({
    [getHubPath(MODEL)]: response => sendFile(response),
    [getHubPath(MODEL, 'tokenizer_config.json', COMMIT)]: response => sendFile(response, { a: 1 }, 'c3'),
  });
  const home = makeHome();
  const env = { HF_HOME: home, HF_ENDPOINT: `${hub.url}/` };
  const downloads: string[] = [];
  await prepareTokenizer(MODEL, { env, onDownload: (...args) => downloads.push(args.join(' ')) });
  const folder = join(home, 'hub', 'models--Qwen--Other');
  const snapshot = join(folder, 'snapshots', COMMIT);
  expect(findCachedTokenizer(MODEL, env)).toBe(snapshot);
  expect(readFileSync(join(folder, 'refs', 'main'), 'utf8')).toBe(COMMIT);
  expect(readlinkSync(join(snapshot, 'tokenizer.json'))).toBe(join('..', '..', 'blobs', 'a1b2'));
  expect(JSON.parse(readFileSync(join(snapshot, 'tokenizer.json'), 'utf8'))).toEqual(WORD_TOKENIZER);
  expect(JSON.parse(readFileSync(join(snapshot, 'tokenizer_config.json'), 'utf8'))).toEqual({ a: 1 });
  expect(existsSync(join(snapshot, 'chat_template.jinja'))).toBe(false);
  expect(downloads).toEqual([`${MODEL} ${hub.url}`]);
});

test('downloads nothing that is in the cache', async () => {
  const hub = await startHub({ [getHubPath(MODEL)]: response => sendFile(response) });
  const env = { HF_HOME: makeHome(), HF_ENDPOINT: hub.url };
  await prepareTokenizer(MODEL, { env });
  const { length } = hub.requests;
  await prepareTokenizer(MODEL, { env });
  expect(hub.requests.length).toBe(length);
});

test('downloads the revision of a tokenizer', async () => {
  const hub = await startHub({
    [getHubPath(MODEL, 'tokenizer.json', 'pr%2F3')]: response => sendFile(response),
  });
  const env = { HF_HOME: makeHome(), HF_ENDPOINT: hub.url };
  await prepareTokenizer(`${MODEL}@pr/3`, { env });
  expect(findCachedTokenizer(`${MODEL}@pr/3`, env)).toBeDefined();
});

test.each([
  ['HF_TOKEN', { HF_TOKEN: 'secret' }],
  ['the file that HF_TOKEN_PATH names', {}],
])('sends the token of %s to the hub, and not to the storage it redirects to', async (_, variables) => {
  const storage = await startHub({ '/blob': response => response.end(JSON.stringify(WORD_TOKENIZER)) });
  const hub = await startHub({
    [getHubPath(MODEL)]: response => {
      response.writeHead(302, {
        location: `${storage.url}/blob`,
        'x-repo-commit': COMMIT,
        'x-linked-etag': '"d4e5"',
      });
      response.end();
    },
  });
  const home = makeHome();
  writeFileSync(join(home, 'token'), 'secret\n');
  const tokenFile = 'HF_TOKEN' in variables ? {} : { HF_TOKEN_PATH: join(home, 'token') };
  await prepareTokenizer(MODEL, {
    env: {
      HF_HUB_CACHE: join(home, 'hub'),
      HF_HOME: '/nowhere',
      HF_ENDPOINT: hub.url,
      ...variables,
      ...tokenFile,
    },
  });
  expect(hub.requests[0]!.authorization).toBe('Bearer secret');
  expect(storage.requests).toEqual([{ path: '/blob', authorization: undefined }]);
  expect(existsSync(join(home, 'hub', 'models--Qwen--Other', 'blobs', 'd4e5'))).toBe(true);
});

test.each([
  [401, undefined, 'URL has no such model, or HF_TOKEN has no access to it'],
  [404, 'RepoNotFound', 'URL has no such model, or HF_TOKEN has no access to it'],
  [404, 'RevisionNotFound', 'the model has no such revision at URL'],
  [404, 'EntryNotFound', 'the model has no tokenizer.json at URL'],
  [403, 'GatedRepo', 'access to the model is restricted at URL; set HF_TOKEN to a token that has access'],
  [503, undefined, 'URL responded with status 503'],
  [200, undefined, 'URL is not a Hugging Face hub: its response has no x-repo-commit header'],
])('status %s with the error code %s is a missing tokenizer with a cause', async (status, code, cause) => {
  const hub = await startHub({ [getHubPath(MODEL)]: response => sendError(response, status, code) });
  const home = makeHome();
  const prepared = prepareTokenizer(MODEL, { env: { HF_HUB_CACHE: home, HF_ENDPOINT: hub.url } });
  await expect(prepared).rejects.toThrow(
    `cannot find the tokenizer of "${MODEL}": it is not in a folder of this name, not in the Hugging Face cache ${JSON.stringify(home)}, and ${cause.replace('URL', hub.url)}`,
  );
});

test('names a hub that is not reachable', async () => {
  const hub = await startHub({});
  await hub.close();
  const env = { HF_HUB_CACHE: makeHome(), HF_ENDPOINT: hub.url };
  await expect(prepareTokenizer(MODEL, { env })).rejects.toThrow(
    `and ${hub.url} is not reachable (connect ECONNREFUSED`,
  );
});

test.each(['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE'])('%s forbids downloads', async name => {
  const hub = await startHub({ [getHubPath(MODEL)]: response => sendFile(response) });
  const env = { HF_HUB_CACHE: makeHome(), HF_ENDPOINT: hub.url, [name]: '1' };
  await expect(prepareTokenizer(MODEL, { env })).rejects.toThrow(`and ${name} forbids downloads`);
  expect(hub.requests).toEqual([]);
});

test('a response that ends too early adds nothing to the cache', async () => {
  const hub = await startHub({
    [getHubPath(MODEL)]: response => {
      response.writeHead(200, { 'x-repo-commit': COMMIT, 'content-length': '1000' });
      response.write('{"a":');
      setTimeout(() => response.destroy(), 10);
    },
  });
  const env = { HF_HUB_CACHE: makeHome(), HF_ENDPOINT: hub.url };
  await expect(prepareTokenizer(MODEL, { env })).rejects.toThrow(`${hub.url} is not reachable`);
  expect(findCachedTokenizer(MODEL, env)).toBeUndefined();
});

test('names a cache that is not writable', async () => {
  const hub = await startHub({ [getHubPath(MODEL)]: response => sendFile(response) });
  const file = join(makeHome(), 'file');
  writeFileSync(file, '');
  const env = { HF_HUB_CACHE: file, HF_ENDPOINT: hub.url };
  await expect(prepareTokenizer(MODEL, { env })).rejects.toThrow('and cannot write to the cache: ');
});

test.each(['/nowhere/tokenizer.json', './nowhere', 'a/b/c'])(
  '%s is a path that does not exist',
  async path => {
    await expect(prepareTokenizer(path)).rejects.toThrow(
      `cannot find the tokenizer "${path}": there is no such file, and no such folder with a tokenizer.json`,
    );
  },
);

test('the built-in tokenizer needs no file', async () => {
  await expect(prepareTokenizer('o200k_base', { env: { HF_ENDPOINT: 'http://127.0.0.1:1' } })).resolves.toBe(
    undefined,
  );
});
