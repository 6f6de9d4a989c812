import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { createNoise, decodeImage, encodeImage, scaleImage } from '../../src/media/bitmap.ts';

const decode = (url: string) => decodeImage(Buffer.from(url.split(',')[1]!, 'base64'));

test('a PNG file has the pixels of its image', () => {
  const noise = createNoise(7, 5, new Random(3));
  const url = encodeImage(noise, 'png');
  expect(url).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
  const { width, height, data } = decode(url);
  expect([width, height, Buffer.compare(data, noise.data)]).toEqual([7, 5, 0]);
});

test('a JPEG file has the size of its image', () => {
  const url = encodeImage(createNoise(17, 9, new Random(3)), 'jpeg');
  expect(url).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(decode(url)).toMatchObject({ width: 17, height: 9 });
});

test('a scaled image has the colors of the nearest pixels', () => {
  const source = { width: 2, height: 1, data: Buffer.from([1, 2, 3, 255, 4, 5, 6, 255]) };
  expect([...scaleImage(source, 4, 1).data].filter((_, index) => index % 4 === 0)).toEqual([1, 1, 4, 4]);
  expect([...scaleImage(source, 1, 2).data]).toHaveLength(8);
});

test('a file that is no image is rejected', () => {
  expect(() => decodeImage(Buffer.from('text'))).toThrow();
});
