import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { openLines, type WriteResult } from '@org/formats/write';
import type { ProfilePaths } from '../profile/profilePaths.ts';
import { findShardFile, type ShardRun } from './shardRun.ts';

/**
 * Joins the files of shards that contain independent lines, such as samples of GPUs, in the order of the shards. An incomplete
 * last line of a killed shard is kept: readers skip it. Returns undefined if no shard has the file.
 */
export async function joinLines(
  shards: readonly ShardRun[],
  getPath: (paths: ProfilePaths) => string,
  paths: ProfilePaths,
): Promise<WriteResult | undefined> {
  const target = getPath(paths);
  const files = shards.flatMap(shard => findShardFile(shard, target) ?? []);
  if (files.length === 0) return undefined;
  const writer = await openLines(target);
  for (const file of files)
    for await (const line of createInterface({
      input: createReadStream(file),
      crlfDelay: Number.POSITIVE_INFINITY,
    }))
      await writer.append(line);
  return writer.close();
}
