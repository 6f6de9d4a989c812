import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '@org/core';
import { expect, onTestFinished, test } from 'vitest';
import { createNoise, decodeImage, encodeImage } from '../../src/media/bitmap.ts';
import type { ImageOptions } from '../../src/media/imageOptions.ts';
import { openMedia } from '../../src/media/media.ts';
import { createPool, takeItems } from '../../src/media/pool.ts';

const images: ImageOptions = {
  width: { mean: 6 },
  height: { mean: 4 },
  perTurn: 2,
  format: 'png',
  sampling: 'sequential_cycle',
};
const audios = { seconds: { mean: 0.05 }, perTurn: 1, depths: [16], sampleRates: [8000], channels: 1 };
const decode = (url: string) => decodeImage(Buffer.from(url.split(',')[1]!, 'base64'));

test('media depend only on the seed', async () => {
  const open = (seed: number) => openMedia({ seed, images, audios, entries: 3 });
  expect(await open(1)).toEqual(await open(1));
  expect((await open(2)).images!.items[0]).not.toBe((await open(1)).images!.items[0]);
});

test('each turn of a limited number of conversations has other images', async () => {
  const pool = (await openMedia({ seed: 1, images, entries: 3, turns: { mean: 2 } })).images!;
  expect(new Set(pool.items).size).toBe(12);
  expect(takeItems(pool, 1)).toEqual(pool.items.slice(2, 4));
  expect(takeItems(pool, 6)).toEqual(pool.items.slice(0, 2));
});

test('sizes and formats are drawn', async () => {
  const options: ImageOptions = { ...images, width: { mean: 20, stddev: 5 }, format: 'random' };
  const { items } = (await openMedia({ seed: 1, images: options, entries: 20 })).images!;
  expect(new Set(items.map(item => decode(item).width)).size).toBeGreaterThan(5);
  expect(new Set(items.map(item => item.slice(0, 14)))).toEqual(
    new Set(['data:image/png', 'data:image/jpe']),
  );
});

test('the duration and the rate of audio clips are as requested', async () => {
  const { items } = (await openMedia({ seed: 1, audios, entries: 2 })).audios!;
  expect(items[0]).toMatch(/^wav,UklGR/);
  expect(Buffer.from(items[0]!.slice(4), 'base64')).toHaveLength(44 + 0.05 * 8000 * 2);
});

test('a pool stops at its memory limit', () => {
  expect(createPool(10, 1, () => 'x'.repeat(1 << 26)).items).toHaveLength(2);
});

function makeImageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'images-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each(['sequential_cycle', 'shuffle_cycle', 'random_with_replacement'] as const)(
  'the images of a folder are scaled: %s',
  async sampling => {
    const folder = makeImageFolder();
    for (const [name, format] of [
      ['a.png', 'png'],
      ['b.jpg', 'jpeg'],
    ] as const) {
      const url = encodeImage(createNoise(3, 3, new Random(name.length)), format);
      writeFileSync(join(folder, name), Buffer.from(url.split(',')[1]!, 'base64'));
    }
    writeFileSync(join(folder, 'notes.txt'), 'not an image');
    const options = { ...images, folder, sampling, perTurn: 1 };
    const { items } = (await openMedia({ seed: 1, images: options, entries: 6 })).images!;
    expect(items.map(item => decode(item).width)).toEqual([6, 6, 6, 6, 6, 6]);
    expect(new Set(items).size).toBe(2);
    if (sampling === 'sequential_cycle') expect(items[2]).toBe(items[0]);
  },
);

test.each([
  ['no images', 'notes.txt', 'contains no PNG or JPEG files'],
  ['a broken image', 'a.png', 'is not a valid PNG or JPEG file'],
])('a folder with %s is rejected', async (_, name, message) => {
  const folder = makeImageFolder();
  writeFileSync(join(folder, name), 'text');
  await expect(openMedia({ seed: 1, images: { ...images, folder }, entries: 1 })).rejects.toThrow(message);
});
