import { expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';

const messages = [{ role: 'user', content: 'hi' }];
const asked = { model: 'm', messages, maxTokens: 7, stream: true, usage: true, legacyMaxTokens: false };

test.each([
  [
    asked,
    { model: 'm', messages, stream: true, stream_options: { include_usage: true }, max_completion_tokens: 7 },
  ],
  [
    { ...asked, legacyMaxTokens: true, usage: false },
    { model: 'm', messages, stream: true, max_tokens: 7 },
  ],
  [
    { ...asked, stream: false, maxTokens: undefined },
    { model: 'm', messages, stream: false },
  ],
])('asks %#', (given, fields) => {
  expect(chat.fields(given)).toEqual(fields);
});

test.each([
  [{ content: 'a' }, 'a', ''],
  [{ content: null, reasoning_content: 'r' }, '', 'r'],
  [{ reasoning: 'r' }, '', 'r'],
  [{ role: 'assistant', content: '' }, '', ''],
  [{ tool_calls: [{ index: 0, function: { name: 'find', arguments: '' } }] }, 'find', ''],
  [{ tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] }, '{"x"', ''],
  [{ tool_calls: 'no list' }, '', ''],
])('reads a chunk of %j', (delta, text, reasoning) => {
  const json = { choices: [{ delta, finish_reason: 'stop' }] };
  expect(chat.chunk(json)).toMatchObject({ text, reasoning, finishReason: 'stop' });
});
