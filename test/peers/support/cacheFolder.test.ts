import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getCacheFolder } from './cacheFolder.ts';

test.each<[string, NodeJS.ProcessEnv, string]>([
  ['the cache folder of the user', {}, join(homedir(), '.cache/servelens/peers')],
  ['$XDG_CACHE_HOME', { XDG_CACHE_HOME: '/cache' }, '/cache/servelens/peers'],
  ['$SERVELENS_PEERS_CACHE', { XDG_CACHE_HOME: '/cache', SERVELENS_PEERS_CACHE: '/peers' }, '/peers'],
])('installs into %s', (_, env, folder) => {
  expect(getCacheFolder(env)).toBe(folder);
});
