import { expect, test } from 'vitest';
import { formatFolderName } from '../../src/profile/folderName.ts';

test.each([
  [['m'], 'm-openai-chat-fixed_schedule'],
  [['a/b:1'], 'a_b:1-openai-chat-fixed_schedule'],
  [['m', 'n'], 'm_multi-openai-chat-fixed_schedule'],
  [['../x'], '_x-openai-chat-fixed_schedule'],
  [['x'.repeat(200)], `${'x'.repeat(100)}-openai-chat-fixed_schedule`],
])('names the folder of the models %j on a fixed schedule', (models, name) => {
  expect(formatFolderName({ models, endpoint: 'chat' }, { concurrency: 4 }, true)).toBe(name);
});
