import { expect, test } from 'vitest';
import type { EndpointName } from '../../src/endpoint/endpoint.ts';
import type { Turn } from '../../src/input/conversation.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { liftSystemTurn } from '../../src/input/systemTurn.ts';
import { writeJsonl } from '../support/files.ts';

const SYSTEM: Turn = { text: 'Be brief.', role: 'system' };
const USER: Turn = { text: 'Hello' };

test.each<EndpointName>(['chat', 'responses', 'messages', 'chat_embeddings'])(
  'a first turn with the role system is the system message of a conversation of %s',
  endpoint => {
    expect(liftSystemTurn({ id: 'a', turns: [SYSTEM, USER, USER] }, endpoint)).toEqual({
      id: 'a',
      system: 'Be brief.',
      turns: [USER, USER],
    });
  },
);

test.each<[string, readonly Turn[], EndpointName?]>([
  ['an API without system messages', [SYSTEM, USER], 'completions'],
  ['no other turn', [SYSTEM]],
  ['a second system turn', [SYSTEM, SYSTEM, USER]],
  ['a later turn', [USER, SYSTEM]],
  ['an output length', [{ ...SYSTEM, maxTokens: 5 }, USER]],
  ['a timestamp', [{ ...SYSTEM, atMs: 0 }, USER]],
  ['fields of the body', [{ ...SYSTEM, extra: { seed: 1 } }, USER]],
  ['an image', [{ ...SYSTEM, contents: { images: ['https://example.com/a.png'] } }, USER]],
])('a system turn remains a request: %s', (_, turns, endpoint) => {
  const conversation = { id: 'a', turns };
  expect(liftSystemTurn(conversation, endpoint)).toBe(conversation);
});

test('the turn after a system turn is the first one: without a delay, and at its own time', async () => {
  const turns = [SYSTEM, { ...USER, delayMs: 500, atMs: 40 }, USER];
  expect(liftSystemTurn({ id: 'a', turns }).turns).toEqual([{ ...USER, atMs: 40 }, USER]);
  const system = { role: 'system', text: 'Be brief.' };
  const path = writeJsonl(
    { session_id: 'a', turns: [system, { text: 'Hello', timestamp: 1000 }] },
    { session_id: 'b', turns: [system, { text: 'Hello', timestamp: 1500 }] },
  );
  expect((await openFileInputs(path)).startsMs).toEqual([0, 500]);
});

test('system lines of other file types remain requests', async () => {
  const path = writeJsonl({ session_id: 'a', turns: [{ role: 'system', text: 'Be brief.' }, 'Hello'] });
  expect((await openFileInputs(path)).getConversation(0).system).toBe('Be brief.');
  const lines = writeJsonl(
    { session_id: 'a', role: 'system', text: 'Be brief.' },
    { session_id: 'a', text: 'Hello' },
  );
  const inputs = await openFileInputs(lines, { allowsTurns: false });
  expect(inputs.getConversation(0).turns).toHaveLength(2);
});
