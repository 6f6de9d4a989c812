import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Random } from '@org/core';
import { InputError } from '../input/inputError.ts';
import { type Bitmap, decodeImage } from './bitmap.ts';
import type { ImageSampling } from './imageOptions.ts';

const EXTENSIONS = ['.png', '.jpg', '.jpeg'];

/** Opens a folder of PNG and JPEG files. Throws InputError if it has none, or if a file is invalid. */
export function openImageFolder(folder: string, sampling: ImageSampling, random: Random): () => Bitmap {
  const names = readdirSync(folder)
    .filter(name => EXTENSIONS.includes(extname(name).toLowerCase()))
    .sort();
  if (names.length === 0) throw new InputError(`${folder} contains no PNG or JPEG files`);
  const images = names.map(name => readImage(join(folder, name)));
  const draw = createDraw(images.length, sampling, random);
  return () => images[draw()]!;
}

function readImage(path: string): Bitmap {
  try {
    return decodeImage(readFileSync(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`${path} is not a valid PNG or JPEG file: ${reason}`);
  }
}

/** Creates a function that returns the number of the next image. */
function createDraw(count: number, sampling: ImageSampling, random: Random): () => number {
  if (sampling === 'random_with_replacement') return () => random.below(count);
  let rest: number[] = [];
  return () => {
    if (rest.length === 0) rest = Array.from({ length: count }, (_, index) => index);
    const [drawn] = rest.splice(sampling === 'shuffle_cycle' ? random.below(rest.length) : 0, 1);
    return drawn!;
  };
}
