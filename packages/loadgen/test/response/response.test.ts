import { expect, test } from 'vitest';
import type { Delta } from '../../src/endpoint/endpoint.ts';
import { createFailure } from '../../src/failure.ts';
import { ParsedResponse } from '../../src/response/response.ts';

function createDelta(fields: Partial<Delta>): Delta {
  const emptyFields = {
    usage: undefined,
    speculation: undefined,
    finishReason: undefined,
    model: undefined,
    id: undefined,
    error: undefined,
  };
  return { text: '', reasoning: '', results: 0, ...emptyFields, ...fields };
}

test('adds reasoning before the output of the same chunk', () => {
  const response = new ParsedResponse();
  response.add(1, createDelta({ reasoning: 'hm' }));
  response.add(2, createDelta({ reasoning: 'so', text: 'a' }));
  response.add(3, createDelta({ text: 'b' }));
  expect(response.content.texts).toEqual(['hm', 'so', 'a', 'b']);
  expect([...response.content.times]).toEqual([1, 2, 2, 3]);
  expect([...response.content.kinds]).toEqual([1, 1, 2, 0]);
});

test('keeps the first id, and the last usage, model and finish reason', () => {
  const response = new ParsedResponse();
  response.add(1, createDelta({ id: 'a', model: 'm', usage: { promptTokens: 1 } }));
  response.add(2, createDelta({ id: 'b', model: 'n', usage: { promptTokens: 2 }, finishReason: 'stop' }));
  response.add(3, createDelta({ results: 2 }));
  expect(response).toMatchObject({
    id: 'a',
    model: 'n',
    usage: { promptTokens: 2 },
    usageChunks: 2,
    finishReason: 'stop',
    results: 2,
  });
});

test.each([
  [{ message: 'gone', type: undefined, code: 500 }, 'gone'],
  [{ message: 'gone', type: 'Internal', code: 500 }, 'Internal: gone'],
])('a response with the error %j fails', (error, message) => {
  const response = new ParsedResponse();
  response.add(1, createDelta({ text: 'a', error }));
  expect(response.findFailure()).toEqual({ type: 'StreamError', code: 500, message });
});

test('records only the first failure', () => {
  const response = new ParsedResponse();
  response.fail(createFailure('TooLarge', 'first'));
  response.fail(createFailure('StreamError', 'second'));
  expect(response.findFailure()?.message).toBe('first');
});

test('a response without content fails, unless it has results', () => {
  expect(new ParsedResponse().findFailure()).toMatchObject({ type: 'EmptyResponse' });
  const embedding = new ParsedResponse();
  embedding.add(1, createDelta({ results: 1 }));
  expect(embedding.findFailure()).toBeUndefined();
});
