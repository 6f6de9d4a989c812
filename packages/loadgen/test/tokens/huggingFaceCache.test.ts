import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findCachedTokenizer, getHubCache, parseHubModel } from '../../src/tokens/huggingFaceCache.ts';
import { findTokenizerFolder, openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeTempFile } from '../support/files.ts';
import { WORD_TOKENIZER } from '../support/tokenizer.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** Creates a cache with one model, in the layout of the `huggingface_hub` library. */
function createCache(): string {
  const hub = join(dirname(writeTempFile('marker', '')), 'hub');
  const model = join(hub, 'models--Qwen--Qwen3-0.6B');
  const snapshot = join(model, 'snapshots', COMMIT);
  mkdirSync(snapshot, { recursive: true });
  mkdirSync(join(model, 'refs', 'pr'), { recursive: true });
  writeFileSync(join(snapshot, 'tokenizer.json'), JSON.stringify(WORD_TOKENIZER));
  writeFileSync(join(model, 'refs', 'main'), COMMIT);
  writeFileSync(join(model, 'refs', 'pr', '3'), `${COMMIT}\n`);
  return hub;
}

/** Sets an environment variable until the end of the test. */
function setVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

test.each([
  ['Qwen/Qwen3-0.6B', true],
  ['Qwen/Qwen3-0.6B@main', true],
  ['Qwen/Qwen3-0.6B@pr/3', true],
  [`Qwen/Qwen3-0.6B@${COMMIT}`, true],
  ['Qwen/Qwen3-0.6B@v2', false],
  ['Qwen/Other', false],
  ['../hub/models--Qwen--Qwen3-0.6B', false],
  ['Qwen/..', false],
  ['Qwen/Qwen3-0.6B@../refs', false],
])('finds the tokenizer %j in the cache: %s', (name, isFound) => {
  const hub = createCache();
  const expected = isFound ? join(hub, 'models--Qwen--Qwen3-0.6B', 'snapshots', COMMIT) : undefined;
  expect(findCachedTokenizer(name, { HF_HUB_CACHE: hub })).toBe(expected);
});

test.each([
  [{ HF_HUB_CACHE: '/a' }, '/a'],
  [{ HUGGINGFACE_HUB_CACHE: '/b', HF_HOME: '/c' }, '/b'],
  [{ HF_HOME: '/c' }, join('/c', 'hub')],
  [{ XDG_CACHE_HOME: '/d' }, join('/d', 'huggingface', 'hub')],
])('%j sets the folder of the cache', (env, folder) => {
  expect(getHubCache(env)).toBe(folder);
});

test.each(['a/b/c', 'a b', '/etc', './m', 'm@1@2', ''])('%j is not the name of a model', name => {
  expect(parseHubModel(name)).toBeUndefined();
});

test('opens a tokenizer of the cache by the name of its model', async () => {
  setVariable('HF_HUB_CACHE', createCache());
  expect(findTokenizerFolder('Qwen/Qwen3-0.6B')).toBe(findCachedTokenizer('Qwen/Qwen3-0.6B'));
  expect(findTokenizerFolder('Qwen/Other')).toBe(undefined);
  const tokenizer = await openTokenizer('Qwen/Qwen3-0.6B');
  expect([tokenizer.name, tokenizer.count('the batch waits.')]).toEqual(['Qwen/Qwen3-0.6B', 4]);
});
