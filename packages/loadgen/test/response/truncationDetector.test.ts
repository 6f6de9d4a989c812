import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import { createFailure } from '../../src/failure.ts';
import { EventStreamReader } from '../../src/response/eventStreamReader.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { TruncationDetector } from '../../src/response/truncationDetector.ts';
import { DONE, formatChatEvent } from '../support/server.ts';

function readStream(stream: string): ParsedResponse {
  const response = new ParsedResponse();
  const reader = new EventStreamReader(ENDPOINTS.chat, response);
  reader.readBytes(1, Buffer.from(stream));
  reader.end(true, () => {});
  return response;
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const createFinishReasonEvent = (finish_reason: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`;

const A = 'http://a:8000';
const B = 'http://b:8000';

describe.each([
  ['[DONE]', formatChatEvent('a') + DONE],
  ['a finish_reason', formatChatEvent('a') + createFinishReasonEvent('stop')],
  ['a usage in the last chunk', `${formatChatEvent('a')}data: ${JSON.stringify({ choices: [], usage })}\n\n`],
  ['[DONE] and no content', DONE],
])('a stream with %s', (_, stream) => {
  test('is complete, and later streams of the same server require an end marker', () => {
    const detector = new TruncationDetector();
    const complete = readStream(stream);
    detector.check(A, complete);
    expect([complete.failure, complete.missingEndMarker]).toEqual([undefined, false]);
    const [truncated, other] = [readStream(formatChatEvent('a')), readStream(formatChatEvent('a'))];
    detector.check(A, truncated);
    detector.check(B, other);
    expect(truncated.failure).toMatchObject({
      type: 'TruncatedStream',
      message: expect.stringContaining('ended without [DONE], finish_reason or usage'),
    });
    expect([other.failure, other.missingEndMarker]).toEqual([undefined, true]);
  });
});

test.each([
  ['nothing but content', formatChatEvent('a') + formatChatEvent('b')],
  [
    'an empty reason in every chunk',
    createFinishReasonEvent('') + formatChatEvent('a') + createFinishReasonEvent(''),
  ],
  [
    'a usage in every chunk',
    formatChatEvent('', { usage }) + formatChatEvent('a', { usage }) + formatChatEvent('b', { usage }),
  ],
])('a stream with %s has no end marker', (_, stream) => {
  const detector = new TruncationDetector();
  const [first, second] = [readStream(stream), readStream(stream)];
  detector.check(A, first);
  detector.check(A, second);
  expect([first, second].map(({ failure, missingEndMarker }) => [failure, missingEndMarker])).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

test('ignores streams that failed or have no content', () => {
  const detector = new TruncationDetector();
  detector.check(A, readStream(DONE));
  const [failed, empty] = [readStream(formatChatEvent('a')), readStream(formatChatEvent(''))];
  failed.fail(createFailure('StreamError', 'gone'));
  detector.check(A, failed);
  detector.check(A, empty);
  expect([failed.failure?.type, failed.missingEndMarker]).toEqual(['StreamError', false]);
  expect([empty.failure, empty.missingEndMarker]).toEqual([undefined, false]);
});
