import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import { JsonBodyReader } from '../../src/response/jsonBodyReader.ts';
import { ParsedResponse } from '../../src/response/response.ts';

function readBody(text: string, isComplete = true): ParsedResponse {
  const response = new ParsedResponse();
  const reader = new JsonBodyReader(ENDPOINTS.chat, response);
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += 5) reader.readBytes(i, bytes.subarray(i, i + 5));
  reader.end(isComplete, () => {});
  return response;
}

const body = JSON.stringify({
  model: 'm',
  choices: [{ message: { content: 'häuser', reasoning_content: 'hm' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1 },
});

test('timestamps content with the arrival of the last byte', () => {
  const response = readBody(body);
  expect(response.failure).toBeUndefined();
  expect(response.content.texts).toEqual(['hm', 'häuser']);
  expect(response.content.lastNs).toBe(Buffer.byteLength(body) - (Buffer.byteLength(body) % 5 || 5));
  expect(response).toMatchObject({ model: 'm', finishReason: 'stop', usage: { promptTokens: 1 } });
});

test.each([
  ['<html>', 'InvalidResponse', 'the response is not valid JSON: <html>'],
  ['', 'InvalidResponse', 'the response is not valid JSON'],
  ['{"error":{"message":"no"}}', 'StreamError', 'no'],
])('reports %j', (text, type, message) => {
  expect(readBody(text).failure).toMatchObject({ type, message: expect.stringContaining(message) });
});

test('does not parse an incomplete body', () => {
  expect(readBody(body.slice(0, 20), false).failure).toBeUndefined();
});

test('ignores a byte order mark', () => {
  const response = readBody(`\ufeff${body}`);
  expect(response.failure).toBeUndefined();
  expect(response.content.texts).toEqual(['hm', 'häuser']);
});
