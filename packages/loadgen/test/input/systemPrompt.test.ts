import { expect, test } from 'vitest';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { prependSystemPrompt } from '../../src/input/systemPrompt.ts';

test('all conversations start with the system prompt', () => {
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 3 } });
  const prompted = prependSystemPrompt(inputs, 'be brief');
  expect(prompted.getConversation(5)).toEqual({ ...inputs.getConversation(5), system: 'be brief' });
  expect(prompted.size).toBeUndefined();
});

test('the system prompt precedes the one of the conversation', () => {
  const inputs = {
    size: 1,
    startsMs: [0],
    getConversation: () => ({ id: 'a', turns: [{ text: 'hi' }], system: 'be kind' }),
    getEntry: () => ({ id: 'b', turns: [{ text: 'ho' }] }),
  };
  const prompted = prependSystemPrompt(inputs, 'be brief');
  expect(prompted.getConversation(0)).toMatchObject({ id: 'a', system: 'be brief\nbe kind' });
  expect(prompted.getEntry?.(0)).toMatchObject({ id: 'b', system: 'be brief' });
  expect(prompted.startsMs).toEqual([0]);
});
