import { expect, test } from 'vitest';
import { ErrorBodyReader } from '../../src/response/errorBodyReader.ts';
import { ParsedResponse } from '../../src/response/response.ts';

test.each([
  ['{"error":{"message":"too long","type":"BadRequest"}}', 'status 400: too long'],
  ['{"detail":"Not Found"}', 'status 400: Not Found'],
  ['{"message":"busy"}', 'status 400: busy'],
  ['{"detail":[{"loc":["body"]}]}', 'status 400: [{"loc":["body"]}]'],
  ['  plain words \n', 'status 400: plain words'],
  ['', 'status 400'],
])('reads the message of %j', (body, message) => {
  const response = new ParsedResponse();
  const reader = new ErrorBodyReader(response, 'HttpError', 400, 'status 400');
  reader.readBytes(1, Buffer.from(body));
  reader.end(true, () => {});
  expect(response.failure).toEqual({ type: 'HttpError', code: 400, message });
});

test('truncates a long body', () => {
  const response = new ParsedResponse();
  const reader = new ErrorBodyReader(response, 'HttpError', 500, 'x');
  for (let i = 0; i < 100; i++) reader.readBytes(1, Buffer.alloc(1000, 'y'));
  reader.end(false, () => {});
  expect(response.failure?.message).toHaveLength(4096);
});
