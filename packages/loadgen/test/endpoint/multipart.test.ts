import { expect, test } from 'vitest';
import { createFilePart, encodeForm, FORM_TYPE } from '../../src/endpoint/multipart.ts';

test('a form is read back by the platform', async () => {
  const file = Buffer.from([0xff, 0xd8, 0, 10]);
  const form = encodeForm({
    prompt: 'draw\r\na "cat"',
    n: 1,
    image: createFilePart(file.toString('base64'), 'image.jpg', 'image/jpeg'),
  });
  const data = await new Response(form, { headers: { 'content-type': FORM_TYPE } }).formData();
  expect(data.get('prompt')).toBe('draw\r\na "cat"');
  expect(data.get('n')).toBe('1');
  const image = data.get('image') as File;
  expect([image.name, image.type]).toEqual(['image.jpg', 'image/jpeg']);
  expect(Buffer.from(await image.arrayBuffer())).toEqual(file);
});
