import { expect, test } from 'vitest';
import { completions } from '../../src/endpoint/completions.ts';

test('joins all messages to the prompt', () => {
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

test('parses chunks and responses alike', () => {
  const json = { id: 'cmpl-1', choices: [{ text: 'x', finish_reason: null }], usage: null };
  expect(completions.parseChunk(json)).toMatchObject({
    text: 'x',
    id: 'cmpl-1',
    usage: undefined,
    finishReason: undefined,
  });
  expect(completions.parseResponse(json)).toEqual(completions.parseChunk(json));
});

test('adds up all choices of a response', () => {
  const choices = [{ text: 'one', finish_reason: null }, { text: ' two', finish_reason: 'length' }, {}];
  expect(completions.parseResponse({ choices })).toMatchObject({ text: 'one two', finishReason: 'length' });
});
