import { expect, test } from 'vitest';
import {
  countUncomputedTokens,
  createRequest,
  type RequestSpec,
  toRequestRecord,
  validateRequestSpec,
} from '../../src/engine/request.ts';

const spec: RequestSpec = { promptTokens: 100, outputTokens: 10, finishReason: 'stop', maxTokens: 64 };

test.each<[Partial<RequestSpec>, string]>([
  [{ promptTokens: 0 }, 'promptTokens is 0; expected an integer of at least 1'],
  [{ promptTokens: 1.5 }, 'promptTokens is 1.5; expected an integer of at least 1'],
  [{ outputTokens: -1 }, 'outputTokens is -1; expected an integer of at least 0'],
  [{ promptTokens: 8192 }, 'a request of 8192 + 10 tokens is longer than maxModelLen, 8192'],
])('rejects %j', (invalid, message) => {
  expect(() => validateRequestSpec({ ...spec, ...invalid }, 8192)).toThrow(message);
});

test('accepts a request that fills the context', () => {
  expect(() => validateRequestSpec({ ...spec, promptTokens: 8182 }, 8192)).not.toThrow();
});

test('counts the tokens that are not yet computed', () => {
  const request = createRequest(0, 0, spec, 0, undefined);
  expect(countUncomputedTokens(request)).toBe(100);
  request.computed = 100;
  request.generated = 1;
  expect(countUncomputedTokens(request)).toBe(1);
});

test('the record of an ended request contains the delivery data recorded so far', () => {
  const request = createRequest(7, 2, spec, 1000, undefined);
  expect(() => toRequestRecord(request)).toThrow('BUG: request 7 has not ended');
  request.finishReason = 'stop';
  request.generated = 10;
  request.delivery.clientId = 'seven';
  expect(toRequestRecord(request)).toMatchObject({
    id: 7,
    engine: 2,
    arrivalNs: 1000,
    promptTokens: 100,
    outputTokens: 10,
    maxTokens: 64,
    finishReason: 'stop',
    clientId: 'seven',
    firstWrittenNs: Number.NaN,
  });
});
