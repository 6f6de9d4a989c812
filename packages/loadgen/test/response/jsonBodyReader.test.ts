import { expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';
import { WholeReader } from '../../src/response/jsonBodyReader.ts';
import { Answer } from '../../src/response/response.ts';

function read(text: string, isComplete = true): Answer {
  const answer = new Answer();
  const reader = new WholeReader(chat, answer);
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += 5) reader.bytes(i, bytes.subarray(i, i + 5));
  reader.end(isComplete, () => {});
  return answer;
}

const body = JSON.stringify({
  model: 'm',
  choices: [{ message: { content: 'häuser', reasoning_content: 'hm' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1 },
});

test('content is there when the last byte is', () => {
  const answer = read(body);
  expect(answer.failure).toBeUndefined();
  expect(answer.text.texts).toEqual(['hm', 'häuser']);
  expect(answer.text.lastNs).toBe(Buffer.byteLength(body) - (Buffer.byteLength(body) % 5 || 5));
  expect(answer).toMatchObject({ model: 'm', finishReason: 'stop', usage: { promptTokens: 1 } });
});

test.each([
  ['<html>', 'InvalidAnswer', 'the answer is no JSON: <html>'],
  ['', 'InvalidAnswer', 'the answer is no JSON'],
  ['{"error":{"message":"no"}}', 'StreamError', 'no'],
])('%s', (text, type, message) => {
  expect(read(text).failure).toMatchObject({ type, message: expect.stringContaining(message) });
});

test('half an answer is not read', () => {
  expect(read(body.slice(0, 20), false).failure).toBeUndefined();
});

test('a byte order mark is no part of the JSON', () => {
  const answer = read(`\ufeff${body}`);
  expect(answer.failure).toBeUndefined();
  expect(answer.text.texts).toEqual(['hm', 'häuser']);
});
