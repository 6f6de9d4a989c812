import { expect, test } from 'vitest';
import { readChatInput } from '../../src/endpoint/chatInput.ts';

const user = { role: 'user', content: 'Hi' };

test.each([
  ['messages', { messages: [user] }, [user], []],
  [
    'parts, without images',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'x' } },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
    [{ role: 'user', content: 'ab' }],
    [],
  ],
  [
    'items and instructions of responses',
    {
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'function_call', name: 'f', arguments: '{}' },
        { type: 'function_call_output', output: '3' },
      ],
    },
    [{ role: 'system', content: 'Be brief.' }, user],
    ['f', '{}', '3'],
  ],
  [
    'blocks and the system message of Anthropic',
    {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: { a: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: '3' }] }] },
      ],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    },
    [
      { role: 'system', content: 'Be brief.' },
      user,
      { role: 'assistant', content: '' },
      { role: 'user', content: '' },
    ],
    ['f', '{"a":1}', '3', 'f', '{"type":"object"}'],
  ],
  [
    'calls and schemas of tools',
    {
      messages: [{ role: 'assistant', content: null, tool_calls: [{ function: { name: 'f' } }] }],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { a: 1 } } }],
    },
    [{ role: 'assistant', content: '', tool_calls: [{ function: { name: 'f' } }] }],
    ['f', 'd', '{"a":1}'],
  ],
])('reads %s', (_, body, messages, toolTexts) => {
  expect(readChatInput(body)).toEqual({ messages, toolTexts });
});

test.each([
  ['a prompt', { prompt: 'Hi' }],
  ['texts to embed', { input: ['Hi', 'you'] }],
  ['tokens to embed', { input: [1, 2] }],
  ['no messages', { messages: [] }],
])('returns undefined for %s', (_, body) => {
  expect(readChatInput(body)).toBeUndefined();
});
