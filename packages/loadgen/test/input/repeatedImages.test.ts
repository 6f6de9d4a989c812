import { expect, test } from 'vitest';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { writeJsonl } from '../support/files.ts';

const URL = 'https://example.com/a.png';

function say(fields: object): object {
  return { session_id: 's', text: 'Look', ...fields };
}

test('images with an id are sent once in each conversation', async () => {
  const path = writeJsonl(
    say({ images: [URL, URL], image_uuids: ['a', 'a'] }),
    say({ images: [URL, URL], image_uuids: ['a', 'b'] }),
    say({ images: [URL] }),
    say({ image_uuids: ['b', 'cached elsewhere'] }),
    { session_id: 'other', text: 'Look', images: [URL], image_uuids: ['a'] },
  );
  const read = async (stripsImages: boolean): Promise<unknown[]> => {
    const inputs = await openFileInputs(path, { allowsTurns: false, endpoint: 'chat', stripsImages });
    return [0, 1].flatMap(index =>
      inputs.getConversation(index).turns.map(({ contents }) => contents?.images),
    );
  };
  expect(await read(false)).toEqual([[URL, URL], [URL, URL], [URL], ['', ''], [URL]]);
  expect(await read(true)).toEqual([[URL, URL], ['', URL], [URL], ['', ''], [URL]]);
});

test.each([
  [
    'without as many images',
    { images: [URL], image_uuids: ['a', 'b'] },
    '"image_uuids" has 2 ids; expected as many as "images"',
  ],
  [
    'with a single image',
    { image: URL, image_uuids: ['a'] },
    '"image_uuids" cannot be used with "image"; expected "images"',
  ],
  [
    'that are empty',
    { images: [URL], image_uuids: [''] },
    'image_uuids is [""]; expected a list of texts that are not empty',
  ],
])('refuses ids %s', async (_, fields, message) => {
  await expect(openFileInputs(writeJsonl(say(fields)))).rejects.toThrow(message);
});

test('refuses ids for another API', async () => {
  const path = writeJsonl(say({ images: [URL], image_uuids: ['a'] }));
  await expect(openFileInputs(path, { endpoint: 'messages' })).rejects.toThrow(
    'field "image_uuids" cannot be sent to the API messages, only to chat',
  );
});
