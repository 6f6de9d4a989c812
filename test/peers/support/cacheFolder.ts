import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder of installed peers: $SERVELENS_PEERS_CACHE, by default servelens/peers in the cache folder of the
 * user ($XDG_CACHE_HOME, or ~/.cache).
 */
export function getCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.SERVELENS_PEERS_CACHE) return env.SERVELENS_PEERS_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'servelens', 'peers');
}
