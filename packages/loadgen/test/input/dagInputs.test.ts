import { expect, test } from 'vitest';
import type { Conversation } from '../../src/input/conversation.ts';
import { type DagOptions, openDagInputs } from '../../src/input/dagInputs.ts';
import { writeJsonl } from '../support/files.ts';

const say = (content: string, role = 'user') => [{ role, content }];
const turn = (content: string, more: object = {}) => ({ messages: say(content), ...more });
const line = (id: string, ...turns: object[]) => ({ session_id: id, turns });

async function read(lines: readonly object[], options?: DagOptions): Promise<Conversation[]> {
  const inputs = await openDagInputs(writeJsonl(...lines), options);
  return Array.from({ length: inputs.size! }, (_, index) => inputs.getConversation(index));
}

test('the inputs are the conversations that no other one starts, with those that they start', async () => {
  const conversations = await read([
    {
      ...line('root', turn('plan', { spawns: ['s', 't'] }), turn('end', { forks: ['f'] })),
      pre_session_spawns: ['p'],
    },
    line('s', turn('spawned')),
    line('t', turn('also')),
    line('f', turn('forked', { delay: 20 })),
    line('p', turn('early')),
    line('alone', turn('hello')),
  ]);
  expect(conversations.map(({ id }) => id)).toEqual(['root', 'alone']);
  expect(
    conversations[0]!.branches!.map(({ conversations: children, ...branch }) => ({
      ...branch,
      children: children.map(({ id }) => id),
    })),
  ).toEqual([
    { afterTurn: -1, children: ['p'], inheritsHistory: false },
    { afterTurn: 0, children: ['s', 't'], inheritsHistory: false, joinTurn: 1 },
    { afterTurn: 1, children: ['f'], inheritsHistory: true },
  ]);
});

test('turns have messages, and the fields of the request', async () => {
  const [conversation] = await read([
    line(
      'a',
      turn('hi', { model: 'x', max_tokens: 5, tools: [{ type: 'function' }], extra: { top_p: 0.5 } }),
      turn('again', { delay: 30 }),
    ),
  ]);
  expect(conversation!.turns).toEqual([
    {
      text: 'hi',
      messages: say('hi'),
      model: 'x',
      maxTokens: 5,
      extra: { tools: [{ type: 'function' }], top_p: 0.5 },
    },
    { text: 'again', messages: say('again'), delayMs: 30 },
  ]);
});

test('with message_array_with_responses, each turn contains all of its messages', async () => {
  const [conversation] = await read([
    {
      ...line(
        'a',
        { messages: [...say('s', 'system'), ...say('one')] },
        { messages: [...say('t', 'system'), ...say('two')] },
      ),
      context_mode: 'message_array_with_responses',
    },
  ]);
  expect(conversation).toMatchObject({
    sendsHistory: false,
    turns: [{ isComplete: true }, { isComplete: true }],
  });
});

test('options set missing response lengths, the longest delay and the system message', async () => {
  const [root] = await read(
    [
      line('a', turn('hi', { forks: ['f'], spawns: ['s'], max_tokens: 3 })),
      line('f', turn('x', { delay: 90 })),
      line('s', turn('y')),
    ],
    { outputTokens: { mean: 7 }, maxDelayMs: 50, systemPrompt: 'be kind' },
  );
  const [forks, spawns] = root!.branches!.map(({ conversations: [child] }) => child!);
  expect(root).toMatchObject({ system: 'be kind', turns: [{ maxTokens: 3 }] });
  expect(forks).toMatchObject({ turns: [{ maxTokens: 7, delayMs: 50 }] });
  expect(forks!.system).toBeUndefined();
  expect(spawns).toMatchObject({ system: 'be kind', turns: [{ maxTokens: 7 }] });
});

test('several turns may wait for the same kind of branch, and several conversations may start the same one', async () => {
  const [first, second] = await read([
    line('a', turn('1', { spawns: ['s', { children: ['t'], join_at: 2 }] }), turn('2'), turn('3')),
    line('b', turn('1', { spawns: ['s'] })),
    line('s', turn('x')),
    line('t', turn('y')),
  ]);
  expect(first!.branches!.map(({ joinTurn }) => joinTurn)).toEqual([1, 2]);
  expect(second!.branches![0]!.conversations[0]).toBe(first!.branches![0]!.conversations[0]);
  expect(second!.branches![0]!.joinTurn).toBeUndefined();
});

test.each<[string, object[], string]>([
  ['an orchestrator', [{ session_id: 'a', orchestrator: true, spawns: ['b'] }], 'orchestrator is true, but'],
  [
    'rounds without an orchestrator',
    [{ ...line('a', turn('x')), rounds: 2 }],
    'rounds requires "orchestrator": true',
  ],
  ['a missing id', [{ turns: [turn('x')] }], 'missing session_id; expected a string'],
  ['no turns', [line('a')], 'turns must be a list of at least one turn'],
  ['a turn without messages', [line('a', { forks: ['b'] })], 'messages is undefined'],
  ['an unknown field', [line('a', turn('x', { temperature: 1 }))], 'unknown field "temperature"'],
  [
    'an invalid mode',
    [{ ...line('a', turn('x')), context_mode: 'x' }],
    'context_mode is "x"; expected deltas',
  ],
  [
    'an invalid limit',
    [line('a', turn('x', { max_tokens: 0 }))],
    'max_tokens is 0; expected an integer of at least 1',
  ],
  ['an unknown target', [line('a', turn('x', { forks: ['b'] }))], 'there is no conversation "b"'],
  [
    'a target twice',
    [line('a', turn('x', { spawns: ['b', 'b'] })), line('b', turn('y'))],
    'turn 0 starts "b" twice',
  ],
  ['an id twice', [line('a', turn('x')), line('a', turn('y'))], 'session_id "a" is used more than once'],
  [
    'a fork that does not end',
    [line('a', turn('x', { forks: ['b'] }), turn('z')), line('b', turn('y'))],
    'is not the last turn; set "background": true',
  ],
  [
    'two forks of a conversation',
    [line('a', turn('x', { forks: ['c'] })), line('b', turn('x', { forks: ['c'] })), line('c', turn('y'))],
    '"c" is forked by several turns',
  ],
  [
    'a fork without history',
    [
      line('a', turn('x', { forks: ['c'] })),
      { ...line('c', turn('y')), context_mode: 'message_array_with_responses' },
    ],
    'the fork "c" cannot continue',
  ],
  [
    'a turn that is not later',
    [line('a', turn('x', { spawns: [{ children: ['c'], join_at: 0 }] }), turn('y')), line('c', turn('y'))],
    'join_at is 0 in turn 0; expected the number of a later turn, of 2 turns',
  ],
  [
    'a cycle',
    [line('a', turn('x', { spawns: ['b'] })), line('b', turn('y', { spawns: ['a'] }))],
    'conversations start each other: a -> b -> a',
  ],
  [
    'a late system message',
    [line('a', turn('x'), { messages: say('s', 'system') })],
    'turn 1 has a message of the system after other messages',
  ],
  [
    'a system message of a fork',
    [line('a', turn('x', { forks: ['b'] })), line('b', { messages: say('s', 'system') })],
    'turn 0 has a message of the system',
  ],
  [
    'a delay of the first request',
    [line('a', turn('x', { delay: 5 }))],
    'delay is 5, but a delay follows the previous response',
  ],
])('refuses %s', async (_, lines, message) => {
  await expect(read(lines)).rejects.toThrow(message);
});
