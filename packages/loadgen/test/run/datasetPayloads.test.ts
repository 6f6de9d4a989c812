import { expect, test } from 'vitest';
import { openDagInputs } from '../../src/input/dagInputs.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { WARMUP_OFFSET } from '../../src/run/conversationQueue.ts';
import { countConversations, generatePayloads } from '../../src/run/datasetPayloads.ts';
import { writeJsonl } from '../support/files.ts';

const TARGET = { urls: ['http://h'], model: 'm', streaming: true } as const;
const SESSIONS = { warmup: 2, profiling: 3 };

test('lists the conversations of the sessions of unlimited inputs, the warm-up first', () => {
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 4 } });
  expect(countConversations(inputs, SESSIONS)).toBe(5);
  const listed = [...generatePayloads({ target: TARGET, seed: 1 }, inputs, SESSIONS, 5)];
  expect(listed.map(({ id }) => id)).toEqual(
    [WARMUP_OFFSET, WARMUP_OFFSET + 1, 0, 1, 2].map(index => inputs.getConversation(index).id),
  );
  const { text } = inputs.getConversation(1).turns[0]!;
  expect(listed[3]!.payloads).toMatchObject([
    { model: 'm', stream: true, messages: [{ role: 'user', content: text }] },
  ]);
});

test.each(['sequential', 'shuffle', 'random'] as const)(
  'lists all conversations of a file in file order, with the sampling %s',
  async sampling => {
    const path = writeJsonl(
      { id: 'a', system: 'be kind', turns: ['one', { text: 'two', model: 'other', output_length: 7 }] },
      { id: 'b', text: 'three' },
      { id: 'c', text: 'four' },
    );
    const inputs = await openFileInputs(path, { sampling, seed: 3 });
    expect(countConversations(inputs, SESSIONS)).toBe(3);
    const [first, ...others] = generatePayloads({ target: TARGET }, inputs, SESSIONS, 3);
    expect(first!.payloads).toMatchObject([
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'user', content: 'one' },
        ],
      },
      {
        model: 'other',
        max_completion_tokens: 7,
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'user', content: 'two' },
        ],
      },
    ]);
    expect(others.map(({ id }) => id)).toEqual(['b', 'c']);
  },
);

test('selects models and the fields of an endpoint as for the requests', () => {
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 4 }, entries: 2 });
  const target = { ...TARGET, model: ['a', 'b'], extraInputs: { temperature: 0.5 } };
  const listed = generatePayloads({ endpoint: 'completions', target }, inputs, SESSIONS, 2);
  expect([...listed].map(({ payloads }) => payloads)).toMatchObject([
    [{ model: 'a', temperature: 0.5, prompt: inputs.getConversation(0).turns[0]!.text }],
    [{ model: 'b', temperature: 0.5, prompt: inputs.getConversation(1).turns[0]!.text }],
  ]);
});

test('lists the conversations that others start once', async () => {
  const turn = { messages: [{ role: 'user', content: 'hi' }] };
  const path = writeJsonl(
    { session_id: 'a', turns: [{ ...turn, spawns: ['c'] }] },
    { session_id: 'b', turns: [{ ...turn, forks: ['d'], spawns: ['c'] }] },
    { session_id: 'c', turns: [turn] },
    { session_id: 'd', turns: [turn, turn] },
  );
  const listed = [...generatePayloads({ target: TARGET }, await openDagInputs(path), SESSIONS, 2)];
  expect(listed.map(({ id, payloads }) => [id, payloads.length])).toEqual([
    ['a', 1],
    ['c', 1],
    ['b', 1],
    ['d', 2],
  ]);
});
