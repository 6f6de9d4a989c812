import { max, sum } from '../math.ts';
import { readStat } from '../run/series.ts';
import type { ServerInstance } from './serverInstance.ts';

type Server = Pick<ServerInstance, 'roles' | 'series'>;

/** Returns the number of tokens that the KV cache of a server holds, or that of one worker of a frontend; undefined if unknown. */
export function readCacheTokens(server: Server): number | undefined {
  const tokens = readValues(server, 'kvCacheTokens');
  if (tokens.length > 0) return sum(tokens);
  const [blocks, blockTokens] = [readValues(server, 'kvCacheBlocks'), readBlockTokens(server)];
  return blocks.length > 0 && blockTokens !== undefined ? max(blocks) * blockTokens : undefined;
}

/** Returns the number of tokens in a block of the KV cache. Only whole blocks are reused. */
export function readBlockTokens(server: Server): number | undefined {
  const values = readValues(server, 'kvCacheBlockTokens');
  return values.length > 0 ? max(values) : undefined;
}

function readValues(
  { roles, series }: Server,
  role: 'kvCacheTokens' | 'kvCacheBlocks' | 'kvCacheBlockTokens',
): number[] {
  const label = roles[role]?.valueLabel;
  const values = series(role).map(entry =>
    label === undefined ? readStat(entry, 'max') : Number(entry.labels[label]),
  );
  return values.filter((value): value is number => value !== undefined && value > 0);
}
