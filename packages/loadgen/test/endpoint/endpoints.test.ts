import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/endpoint/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import { ParsedResponse } from '../../src/response/response.ts';

const { chat, completions, embeddings, responses, messages: anthropicMessages } = ENDPOINTS;
const generate = ENDPOINTS.huggingface_generate;

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
    expect(embeddings.buildBody(params)).toEqual({ model: 'm', input: ['two'] });
    const json = {
      data: [{ embedding: [1] }, { embedding: [2] }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    };
    expect(embeddings.parseResponse(json)).toMatchObject({
      results: 2,
      text: '',
      usage: { promptTokens: 2, totalTokens: 2 },
    });
    expect(embeddings.parseResponse({ data: 'x' }).results).toBe(0);
  });
});

const conversation = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'three' },
];
const params = {
  model: 'm',
  messages: conversation,
  maxTokens: 9,
  stream: true,
  usage: true,
  legacyMaxTokens: false,
};

/** Sends events through a parsed response, as a stream does. */
function receive(endpoint: Endpoint, events: readonly object[]): ParsedResponse {
  const response = new ParsedResponse();
  for (const event of events) response.add(1, endpoint.parseChunk(event));
  return response;
}

describe('responses', () => {
  test('sends the system message as instructions', () => {
    expect(responses.buildBody(params)).toEqual({
      model: 'm',
      input: [
        { role: 'user', content: 'one', type: 'message' },
        { role: 'assistant', content: 'two', type: 'message' },
        { role: 'user', content: 'three', type: 'message' },
      ],
      instructions: 'be brief',
      stream: true,
      max_output_tokens: 9,
    });
  });

  test('reads a stream once, although its last events repeat the text', () => {
    const usage = { input_tokens: 7, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1 } };
    const response = receive(responses, [
      { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress' } },
      { type: 'response.reasoning_text.delta', delta: 'hm' },
      { type: 'response.output_text.delta', delta: 'he' },
      { type: 'response.output_text.delta', delta: 'llo' },
      { type: 'response.output_text.done', text: 'hello' },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage } },
    ]);
    expect(response.content.texts).toEqual(['hm', 'he', 'llo']);
    expect(response.findFailure()).toBeUndefined();
    expect(response).toMatchObject({
      id: 'resp_1',
      model: 'm',
      finishReason: 'stop',
      usage: { promptTokens: 7, completionTokens: 2, reasoningTokens: 1 },
    });
  });

  test.each([
    ['response.incomplete', 'length'],
    ['response.failed', 'error'],
  ])('reads the end of a stream: %s', (type, finishReason) => {
    expect(responses.parseChunk({ type, response: {} })).toMatchObject({ finishReason });
  });

  test.each([
    { type: 'error', code: 'server_error', message: 'no memory' },
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'no memory' } } },
  ])('reads the error of %j', event => {
    expect(responses.parseChunk(event).error).toMatchObject({ message: 'no memory' });
  });

  test('reads a response with reasoning, text and a function call', () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'hi' }, null] },
      { type: 'function_call', name: 'find', arguments: '{}' },
      { type: 'web_search_call' },
      null,
    ];
    const json = { id: 'r', status: 'completed', output, usage: { input_tokens: 1, output_tokens: 2 } };
    expect(responses.parseResponse(json)).toMatchObject({
      text: 'hifind{}',
      reasoning: 'hm',
      finishReason: 'stop',
      usage: { promptTokens: 1, completionTokens: 2 },
    });
    expect(responses.parseResponse({ status: 'incomplete' })).toMatchObject({
      text: '',
      finishReason: 'length',
    });
  });
});

describe('messages', () => {
  test('sends the system message separately, and a default output length', () => {
    const messages = conversation.slice(1);
    const body = { model: 'm', messages, stream: true, system: 'be brief' };
    expect(anthropicMessages.buildBody(params)).toEqual({ ...body, max_tokens: 9 });
    const { max_tokens } = anthropicMessages.buildBody({ ...params, maxTokens: undefined });
    expect(max_tokens).toBe(1024);
  });

  test('adds up the token counts of several events', () => {
    const response = receive(anthropicMessages, [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          model: 'm',
          usage: { input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_stop' },
      { type: 'content_block_start', content_block: { type: 'tool_use', name: 'find' } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
      { type: 'ping' },
    ]);
    expect(response.content.texts).toEqual(['hm', 'hello', 'find', '{}']);
    expect(response).toMatchObject({
      id: 'msg_1',
      finishReason: 'length',
      usage: { promptTokens: 7, cachedTokens: 3, completionTokens: 5 },
    });
  });

  test('reads an error event', () => {
    const event = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } };
    expect(anthropicMessages.parseChunk(event).error).toMatchObject({
      message: 'busy',
      type: 'overloaded_error',
    });
  });

  test('reads a response with thinking, text and a tool call', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'hi' },
      { type: 'tool_use', name: 'find', input: { x: 1 } },
    ];
    const json = {
      id: 'msg',
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(anthropicMessages.parseResponse(json)).toMatchObject({
      text: 'hifind{"x":1}',
      reasoning: 'hm',
      finishReason: 'stop',
      usage: { promptTokens: 1, completionTokens: 2 },
    });
  });
});

describe('huggingface_generate', () => {
  test('sends the prompt and its parameters', () => {
    expect(generate.buildBody({ ...params, messages: conversation.slice(1, 2) })).toEqual({
      inputs: 'one',
      parameters: { max_new_tokens: 9 },
    });
    expect(generate.buildBody({ ...params, maxTokens: undefined })).toMatchObject({ parameters: {} });
  });

  test('reads the tokens of a stream, without the repeated text', () => {
    const response = receive(generate, [
      { token: { text: 'he', special: false }, generated_text: null },
      { token: { text: 'llo', special: false } },
      {
        token: { text: '</s>', special: true },
        generated_text: 'hello',
        details: { finish_reason: 'eos_token', generated_tokens: 3 },
      },
    ]);
    expect(response.content.texts).toEqual(['he', 'llo']);
    expect(response).toMatchObject({ finishReason: 'eos_token', usage: { completionTokens: 3 } });
  });

  test.each([{ generated_text: 'hi' }, [{ generated_text: 'hi' }]])('reads the response %j', json => {
    expect(generate.parseResponse(json)).toMatchObject({ text: 'hi', usage: undefined });
  });
});

test.each([null, 3, 'text', [], { output: 3 }, { content: 'x' }, { usage: [] }])(
  'no API fails on %j',
  json => {
    for (const endpoint of Object.values(ENDPOINTS)) {
      // APIs of unknown responses and of plain text read almost any value.
      const text = endpoint.acceptsPlainText || endpoint.name === 'solido_rag' ? expect.any(String) : '';
      expect(endpoint.parseChunk(json).text).toEqual(text);
      expect(endpoint.parseResponse(json).text).toEqual(text);
    }
  },
);
