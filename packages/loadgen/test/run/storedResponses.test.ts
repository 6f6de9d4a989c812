import { expect, test } from 'vitest';
import { findEndpoint } from '../../src/endpoint/endpoints.ts';
import { Session } from '../../src/run/session.ts';
import { selectContent, storesResponses } from '../../src/run/storedResponses.ts';
import type { Target } from '../../src/run/target.ts';
import { runLoad } from '../support/load.ts';
import { formatResponse, startRawServer } from '../support/server.ts';

const TARGET: Target = { urls: ['http://h'], model: 'm', streaming: true };
const CONVERSATION = { id: 'c', system: 'be kind', turns: [{ text: 'one' }, { text: 'two' }] };

test.each([
  ['responses', { store: true }, true],
  ['responses', { store: 'True' }, true],
  ['responses', { store: false }, false],
  ['responses', {}, false],
  ['chat', { store: true }, false],
] as const)('the API %s with the fields %j stores responses: %s', (name, extraInputs, expected) => {
  expect(storesResponses(findEndpoint(name), { ...TARGET, extraInputs })).toBe(expected);
});

test('names the previous response instead of the earlier messages', () => {
  const session = new Session(CONVERSATION, 0, 'id');
  expect(selectContent(session, TARGET, true).messages).toEqual(session.buildMessages());
  session.advance('answer', 'r1');
  expect(selectContent(session, { ...TARGET, extraInputs: { store: true } }, true)).toEqual({
    target: { ...TARGET, extraInputs: { previous_response_id: 'r1', store: true } },
    messages: [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'two' },
    ],
  });
  expect(selectContent(session, TARGET, false)).toEqual({
    target: TARGET,
    messages: session.buildMessages(),
  });
});

test('sends all messages if the server assigns no id, or if each turn is sent without the earlier ones', () => {
  const session = new Session(CONVERSATION, 0, 'id');
  session.advance('answer');
  expect(selectContent(session, TARGET, true).messages).toHaveLength(4);
  const other = new Session({ ...CONVERSATION, sendsHistory: false }, 0, 'id');
  other.advance('answer', 'r1');
  expect(selectContent(other, TARGET, true).target).toBe(TARGET);
});

test('sends a turn that contains the earlier messages without naming the previous response', () => {
  const [first, second] = CONVERSATION.turns;
  const session = new Session(
    { ...CONVERSATION, turns: [first!, { ...second!, isComplete: true }] },
    0,
    'id',
  );
  session.advance('answer', 'r1');
  expect(selectContent(session, TARGET, true)).toEqual({ target: TARGET, messages: session.buildMessages() });
});

test('a conversation continues with the ids of its responses', async () => {
  const response = {
    id: 'r1',
    status: 'completed',
    output: [{ type: 'message', content: [{ text: 'hi' }] }],
  };
  const { url, received } = await startRawServer(socket => {
    socket.write(formatResponse('200 OK', 'application/json', JSON.stringify(response)));
  });
  await runLoad(url, {
    endpoint: 'responses',
    target: { streaming: false, extraInputs: { store: true } },
    inputs: { size: 1, startsMs: undefined, getConversation: () => CONVERSATION },
    profiling: { concurrency: 1, requestCount: 2 },
  });
  const [first, second] = received.map(({ body }) => JSON.parse(body));
  expect(first).not.toHaveProperty('previous_response_id');
  expect(second).toMatchObject({ previous_response_id: 'r1', instructions: 'be kind', store: true });
  expect(second.input).toHaveLength(1);
});
