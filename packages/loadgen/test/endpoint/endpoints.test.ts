import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';

const { chat, completions, embeddings } = ENDPOINTS;

describe('chat completions', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const params = { model: 'm', messages, maxTokens: 7, stream: true, usage: true, legacyMaxTokens: false };

  test.each([
    [
      params,
      {
        model: 'm',
        messages,
        stream: true,
        stream_options: { include_usage: true },
        max_completion_tokens: 7,
      },
    ],
    [
      { ...params, legacyMaxTokens: true, usage: false },
      { model: 'm', messages, stream: true, max_tokens: 7 },
    ],
    [
      { ...params, stream: false, maxTokens: undefined },
      { model: 'm', messages, stream: false },
    ],
  ])('builds the body of case %#', (requestParams, body) => {
    expect(chat.buildBody(requestParams)).toEqual(body);
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
  ] as const)('joins the texts of all choices: %s', (name, parse) => {
    const choices = [
      { index: 0, [name]: { content: 'one', reasoning_content: 'hm' }, finish_reason: '' },
      { index: 1, [name]: { content: ' two' }, finish_reason: 'stop' },
      null,
    ];
    expect(chat[parse]({ choices })).toMatchObject({
      text: 'one two',
      reasoning: 'hm',
      finishReason: 'stop',
    });
  });
});

describe('text completions', () => {
  test('joins all messages into the prompt', () => {
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ];
    const fields = completions.buildBody({
      model: 'm',
      messages,
      maxTokens: 9,
      stream: true,
      usage: true,
      legacyMaxTokens: false,
    });
    expect(fields).toEqual({
      model: 'm',
      prompt: 'one\ntwo\nthree',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
    });
  });

  test('parses chunks and responses in the same way', () => {
    const json = { id: 'cmpl-1', choices: [{ text: 'x', finish_reason: null }], usage: null };
    expect(completions.parseChunk(json)).toMatchObject({
      text: 'x',
      id: 'cmpl-1',
      usage: undefined,
      finishReason: undefined,
    });
    expect(completions.parseResponse(json)).toEqual(completions.parseChunk(json));
  });

  test('joins the texts of all choices of a response', () => {
    const choices = [{ text: 'one', finish_reason: null }, { text: ' two', finish_reason: 'length' }, {}];
    expect(completions.parseResponse({ choices })).toMatchObject({ text: 'one two', finishReason: 'length' });
  });
});

describe('embeddings', () => {
  test('builds a body from the last message only, and counts the vectors of a response', () => {
    const messages = [
      { role: 'system', content: 'one' },
      { role: 'user', content: 'two' },
    ];
    const params = { model: 'm', messages, maxTokens: 5, stream: false, usage: true, legacyMaxTokens: false };
    expect(embeddings.buildBody(params)).toEqual({ model: 'm', input: 'two' });
    const json = {
      data: [{ embedding: [1] }, { embedding: [2] }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    };
    expect(embeddings.parseResponse(json)).toMatchObject({
      vectors: 2,
      text: '',
      usage: { promptTokens: 2, totalTokens: 2 },
    });
    expect(embeddings.parseResponse({ data: 'x' }).vectors).toBe(0);
  });
});
