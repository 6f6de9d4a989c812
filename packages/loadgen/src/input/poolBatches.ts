import type { Random } from '@org/core';
import { InputError } from './inputError.ts';
import type { LineContents } from './messageContents.ts';

const KINDS = ['texts', 'images', 'audios', 'videos'] as const;

/** The number of texts, images, audio clips and videos in each request; 1 of each kind that is not given. */
export type BatchSizes = { readonly [kind in (typeof KINDS)[number]]?: number };

/** A file of a pool: its name, which texts without a name have, and its lines. */
export interface Pool {
  readonly name: string;
  readonly lines: readonly LineContents[];
}

/**
 * Returns a function that draws the contents of one request. As in AIPerf, each text, image, clip and video is drawn separately,
 * with replacement, from all lines. Returns undefined if all sizes are 1: requests are then whole lines. Throws an `InputError` if
 * requests would be empty, or if the pools have names or ids of images, which separately drawn contents do not keep.
 */
export function createBatches(
  pools: readonly Pool[],
  sizes: BatchSizes,
): ((random: Random) => LineContents) | undefined {
  const contents = collectContents(pools);
  const isBatch = KINDS.some(kind => contents[kind].length > 0 && (sizes[kind] ?? 1) !== 1);
  if (!isBatch) return undefined;
  rejectNames(pools);
  const counts = KINDS.map(kind => [kind, contents[kind].length > 0 ? (sizes[kind] ?? 1) : 0] as const);
  const used = counts.filter(([, count]) => count > 0);
  if (used.length === 0)
    throw new InputError('requests have no contents, because the batch sizes of all contents are 0');
  return random => {
    const drawn = Object.fromEntries(
      used.map(([kind, count]) => [kind, drawSeveral(contents[kind], count, random)]),
    );
    const { texts = [], ...media } = drawn;
    return { texts: texts.length > 0 ? [{ name: '', contents: texts }] : [], media };
  };
}

/** Lists the contents of all lines, by kind. */
function collectContents(pools: readonly Pool[]): Record<keyof BatchSizes, readonly string[]> {
  const lines = pools.flatMap(pool => pool.lines);
  return {
    texts: lines.flatMap(({ texts }) => texts.flatMap(({ contents }) => contents)),
    images: lines.flatMap(({ media }) => media.images ?? []),
    audios: lines.flatMap(({ media }) => media.audios ?? []),
    videos: lines.flatMap(({ media }) => media.videos ?? []),
  };
}

function rejectNames(pools: readonly Pool[]): void {
  if (pools.length > 1)
    throw new InputError('batch sizes require a single file, because the files of a folder name its texts');
  const [{ name, lines }] = pools as readonly [Pool];
  for (const { texts, media } of lines) {
    const named = texts.find(text => text.name !== name);
    if (named)
      throw new InputError(
        `batch sizes require texts without names; found the name ${JSON.stringify(named.name)}`,
      );
    if (media.imageIds)
      throw new InputError(`batch sizes require images without ids; found ${JSON.stringify(media.imageIds)}`);
  }
}

function drawSeveral(values: readonly string[], count: number, random: Random): string[] {
  return Array.from({ length: count }, () => values[random.below(values.length)]!);
}
