import type { Random } from '@org/core';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** An image as pixels of 4 bytes: red, green, blue and opacity. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Quality of JPEG files; AIPerf uses the same. */
const JPEG_QUALITY = 85;

/** Creates an image of random pixels. */
export function createNoise(width: number, height: number, random: Random): Bitmap {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at += 4)
    data.writeUInt32LE((random.below(2 ** 24) | 0xff000000) >>> 0, at);
  return { width, height, data };
}

/** Encodes an image as a data URL. */
export function encodeImage(bitmap: Bitmap, format: 'png' | 'jpeg'): string {
  return `data:image/${format};base64,${(format === 'png' ? encodePng(bitmap) : encodeJpeg(bitmap)).toString('base64')}`;
}

function encodePng({ width, height, data }: Bitmap): Buffer {
  const png = new PNG({ width, height });
  data.copy(png.data);
  // Color type 2 has no opacity. Noise cannot be compressed, so the fastest level is used.
  return PNG.sync.write(png, { colorType: 2, deflateLevel: 1, filterType: 0 });
}

function encodeJpeg(bitmap: Bitmap): Buffer {
  return jpeg.encode(bitmap, JPEG_QUALITY).data;
}

/** Decodes a PNG or JPEG file. Throws if it is neither. */
export function decodeImage(file: Buffer): Bitmap {
  const isPng = file.subarray(1, 4).toString('latin1') === 'PNG';
  if (isPng) return PNG.sync.read(file);
  const { width, height, data } = jpeg.decode(file);
  return { width, height, data: Buffer.from(data.buffer, data.byteOffset, data.length) };
}

/** Scales an image, with the nearest pixel for each pixel. */
export function scaleImage(source: Bitmap, width: number, height: number): Bitmap {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * source.height) / height) * source.width;
    for (let x = 0; x < width; x++) {
      const from = 4 * (row + Math.floor(((x + 0.5) * source.width) / width));
      source.data.copy(data, 4 * (y * width + x), from, from + 4);
    }
  }
  return { width, height, data };
}
