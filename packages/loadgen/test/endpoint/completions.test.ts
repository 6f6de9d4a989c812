import { expect, test } from 'vitest';
import { completions } from '../../src/endpoint/completions.ts';

test('the prompt holds what was said before', () => {
  const messages = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ];
  const fields = completions.fields({
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

test('chunks and answers look the same', () => {
  const json = { id: 'cmpl-1', choices: [{ text: 'x', finish_reason: null }], usage: null };
  expect(completions.chunk(json)).toMatchObject({
    text: 'x',
    id: 'cmpl-1',
    usage: undefined,
    finishReason: undefined,
  });
  expect(completions.answer(json)).toEqual(completions.chunk(json));
});

test('all choices of an answer count', () => {
  const choices = [{ text: 'one', finish_reason: null }, { text: ' two', finish_reason: 'length' }, {}];
  expect(completions.answer({ choices })).toMatchObject({ text: 'one two', finishReason: 'length' });
});
