import { expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';

const messages = [{ role: 'user', content: 'hi' }];
const params = { model: 'm', messages, maxTokens: 7, stream: true, usage: true, legacyMaxTokens: false };

test.each([
  [
    params,
    { model: 'm', messages, stream: true, stream_options: { include_usage: true }, max_completion_tokens: 7 },
  ],
  [
    { ...params, legacyMaxTokens: true, usage: false },
    { model: 'm', messages, stream: true, max_tokens: 7 },
  ],
  [
    { ...params, stream: false, maxTokens: undefined },
    { model: 'm', messages, stream: false },
  ],
])('builds body %#', (given, body) => {
  expect(chat.buildBody(given)).toEqual(body);
});

test.each([
  [{ content: 'a' }, 'a', ''],
  [{ content: [{ type: 'text', text: 'a' }, { type: 'image' }, null, { text: 'b' }] }, 'ab', ''],
  [{ content: null, reasoning_content: 'r' }, '', 'r'],
  [{ reasoning: 'r' }, '', 'r'],
  [{ role: 'assistant', content: '' }, '', ''],
  [{ tool_calls: [{ index: 0, function: { name: 'find', arguments: '' } }] }, 'find', ''],
  [{ tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] }, '{"x"', ''],
  [{ tool_calls: 'no list' }, '', ''],
])('parses a chunk with %j', (delta, text, reasoning) => {
  const json = { choices: [{ delta, finish_reason: 'stop' }] };
  expect(chat.parseChunk(json)).toMatchObject({ text, reasoning, finishReason: 'stop' });
});

test.each([
  ['delta', 'parseChunk'],
  ['message', 'parseResponse'],
] as const)('adds up all choices of a response: %s', (name, parse) => {
  const choices = [
    { index: 0, [name]: { content: 'one', reasoning_content: 'hm' }, finish_reason: '' },
    { index: 1, [name]: { content: ' two' }, finish_reason: 'stop' },
    null,
  ];
  expect(chat[parse]({ choices })).toMatchObject({ text: 'one two', reasoning: 'hm', finishReason: 'stop' });
});
