import { Random } from '@org/core';
import type { Contents } from '../endpoint/contents.ts';
import { drawInteger, drawValue, type ValueDistribution } from '../input/valueDistribution.ts';
import type { AudioOptions } from './audioOptions.ts';
import type { ImageOptions } from './imageOptions.ts';
import { createPool, type Pool, takeItems } from './pool.ts';
import { createWave } from './wave.ts';

/** The images and audio clips of generated conversations. */
export interface Media {
  readonly images?: Pool;
  readonly audios?: Pool;
}

/** Options of {@link openMedia}. */
export interface MediaOptions {
  readonly seed: number;
  readonly images?: ImageOptions;
  readonly audios?: AudioOptions;
  readonly entries?: number;
  readonly turns?: ValueDistribution;
}

/** Number of turns with distinct media if the number of conversations is not limited. */
const DEFAULT_TURNS = 100;
/** Maximum width and height of an image, in pixels. */
const MAX_PIXELS = 16_384;

/**
 * Creates images and audio clips, so that none is created while requests are sent. Rejects with an InputError if a
 * folder of images is invalid.
 */
export async function openMedia(options: MediaOptions): Promise<Media> {
  const { images, audios, entries, turns = { mean: 1 }, seed } = options;
  const random = new Random(seed).fork('media');
  const count = entries === undefined ? DEFAULT_TURNS : Math.ceil(entries * turns.mean);
  return {
    ...(images && { images: await createImages(images, count, random.fork('images')) }),
    ...(audios && { audios: createAudios(audios, count, random.fork('audios')) }),
  };
}

async function createImages(options: ImageOptions, turns: number, random: Random): Promise<Pool> {
  const { width, height, format, folder, sampling, perTurn } = options;
  // Most runs need no encoders.
  const { createNoise, encodeImage, scaleImage } = await import('./bitmap.ts');
  const sizes = random.fork('sizes');
  const formats = random.fork('formats');
  const pixels = random.fork('pixels');
  const draw =
    folder === undefined
      ? undefined
      : (await import('./imageFolder.ts')).openImageFolder(folder, sampling, random.fork('files'));
  return createPool(turns, perTurn, () => {
    const [columns, rows] = [width, height].map(size => drawInteger(size, 1, sizes, MAX_PIXELS)) as [
      number,
      number,
    ];
    const bitmap = draw ? scaleImage(draw(), columns, rows) : createNoise(columns, rows, pixels);
    return encodeImage(bitmap, format === 'random' ? (formats.chance(0.5) ? 'png' : 'jpeg') : format);
  });
}

/** Minimum duration of an audio clip, in seconds. */
const MIN_SECONDS = 0.01;

function createAudios(options: AudioOptions, turns: number, random: Random): Pool {
  const { seconds, depths, sampleRates, channels, perTurn } = options;
  const formats = random.fork('formats');
  const samples = random.fork('samples');
  return createPool(turns, perTurn, () => {
    const format = {
      seconds: Math.max(MIN_SECONDS, drawValue(seconds, formats)),
      sampleRate: sampleRates[formats.below(sampleRates.length)]!,
      depth: depths[formats.below(depths.length)]!,
      channels,
    };
    return `wav,${createWave(format, samples).toString('base64')}`;
  });
}

/** Returns the images and audio clips of a turn. Each conversation has the next ones of the pool. */
export function takeMedia(
  { images, audios }: Media = {},
  { mean }: ValueDistribution = { mean: 1 },
  conversation: number,
  turn: number,
): Contents | undefined {
  if (!images && !audios) return undefined;
  const position = conversation * Math.max(1, Math.round(mean)) + turn;
  return {
    ...(images && { images: takeItems(images, position) }),
    ...(audios && { audios: takeItems(audios, position) }),
  };
}

/** Returns the contents of a turn in addition to its first text. */
export function describeContents(
  texts: readonly string[],
  media: Contents | undefined,
): { readonly contents?: Contents } {
  if (texts.length === 1) return media === undefined ? {} : { contents: media };
  return { contents: { texts, ...media } };
}
