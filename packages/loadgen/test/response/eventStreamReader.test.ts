import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import { EventStreamReader } from '../../src/response/eventStreamReader.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { DONE, formatChatEvent } from '../support/server.ts';

/** Reads a stream that arrives in pieces; piece k, counted from 0, arrives at time k + 1. */
function readStream(pieces: readonly Uint8Array[], isComplete = true): ParsedResponse {
  const response = new ParsedResponse();
  const reader = new EventStreamReader(ENDPOINTS.chat, response);
  for (const [index, piece] of pieces.entries()) reader.readBytes(index + 1, piece);
  reader.end(isComplete, () => {});
  return response;
}

/** Splits bytes at these offsets; offsets beyond the end wrap around. */
function splitBytes(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const ends = [...new Set(offsets.map(offset => offset % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1]!, end));
}

const eventText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(text => formatChatEvent(text)),
  fc.constant(': a comment\n\n'),
  fc.constant(':\r\n\r\n'),
  fc.constant('event: message\nid: 7\nretry: 3\ndata: {"choices":[]}\n\n'),
  fc.constant(formatChatEvent('two\nlines').replaceAll('\n\n', '\r\n\r\n')),
  fc.constant(formatChatEvent('bare CR').replaceAll('\n', '\r')),
  fc.constant('data: {"choices":[{"delta":\ndata: {"content":"over two data lines"}}]}\n\n'),
);

describe('any split of a stream', () => {
  test('yields the same events', () => {
    fc.assert(
      fc.property(
        fc.array(eventText, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (eventTexts, offsets) => {
          const bytes = Buffer.from(`${eventTexts.join('')}${formatChatEvent('end')}${DONE}`);
          const [complete, pieced] = [readStream([bytes]), readStream(splitBytes(bytes, offsets))];
          expect(pieced.content.texts).toEqual(complete.content.texts);
          expect(pieced.events).toBe(complete.events);
          expect([pieced.isDone, pieced.failure]).toEqual([true, complete.failure]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('assigns each event the time of its last byte', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), offsets => {
        const texts = ['a', 'é', '日本', '🙂', 'z'];
        const parts = texts.map(text => Buffer.from(formatChatEvent(text)));
        const pieces = splitBytes(Buffer.concat(parts), offsets);
        const { content } = readStream(pieces);
        expect(content.texts).toEqual(texts);
        let end = 0;
        const ends = parts.map(bytes => {
          end += bytes.length;
          return end;
        });
        // An event has the time of the piece that contains its last byte.
        const expected = ends.map(last => {
          let sum = 0;
          return (
            1 +
            pieces.findIndex(piece => {
              sum += piece.length;
              return sum >= last;
            })
          );
        });
        expect([...content.times]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

const STREAMS: [
  string,
  string,
  Partial<Pick<ParsedResponse, 'events' | 'isDone' | 'finishReason'>> & { texts: string[] },
][] = [
  [
    'text, then [DONE]',
    formatChatEvent('a') + formatChatEvent('b') + DONE,
    { texts: ['a', 'b'], events: 3, isDone: true },
  ],
  ['no end marker', formatChatEvent('a'), { texts: ['a'], isDone: false }],
  ['no empty line at the end', formatChatEvent('a') + formatChatEvent('b').trimEnd(), { texts: ['a', 'b'] }],
  ['a chunk with only a role', formatChatEvent('') + formatChatEvent('a'), { texts: ['a'], events: 2 }],
  ['a byte order mark', `\uFEFF${formatChatEvent('a')}`, { texts: ['a'] }],
  [
    'bare carriage returns',
    formatChatEvent('a').replaceAll('\n', '\r') + formatChatEvent('b').replaceAll('\n', '\r'),
    { texts: ['a', 'b'] },
  ],
  ['unknown fields', `foo: bar\n${formatChatEvent('a')}`, { texts: ['a'] }],
];

test.each(STREAMS)('reads a stream with %s', (_, stream, { texts, ...expected }) => {
  const response = readStream([Buffer.from(stream)]);
  expect(response.failure).toBeUndefined();
  expect(response.content.texts).toEqual(texts);
  expect(response).toMatchObject(expected);
});

test('reads the usage in the last chunk', () => {
  const usage = {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
  };
  const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const response = readStream([Buffer.from(formatChatEvent('a', { usage: null }) + last + DONE)]);
  expect(response.usage).toEqual({ promptTokens: 3, completionTokens: 2, totalTokens: 5, cachedTokens: 1 });
});

test.each([
  [
    'an error instead of a chunk',
    'data: {"error":{"message":"out of memory","type":"internal","code":500}}\n\n',
    'StreamError',
    'internal: out of memory',
  ],
  ['an error event', 'event: error\ndata: {"message":"gone"}\n\n', 'StreamError', 'gone'],
  [
    'an error event in plain text',
    'event: error\ndata: upstream is gone\n\n',
    'StreamError',
    'upstream is gone',
  ],
  ['an error string', 'data: {"error":"no room"}\n\n', 'StreamError', 'no room'],
  [
    'an error object',
    'data: {"object":"error","message":"bad","type":"BadRequestError","code":400}\n\n',
    'StreamError',
    'BadRequestError: bad',
  ],
  [
    'invalid JSON',
    'data: {"choices":[{"delta":\n\n',
    'InvalidResponse',
    'an event of the stream is not valid JSON: {"choices"',
  ],
])('%s fails the response, but its content is kept', (_, event, type, message) => {
  const response = readStream([Buffer.from(formatChatEvent('a') + event + formatChatEvent('b'))]);
  expect(response.failure).toMatchObject({ type });
  expect(response.failure?.message).toContain(message);
  expect(response.content.texts).toEqual(['a', 'b']);
});

test('ignores an incomplete event of a broken connection', () => {
  const response = readStream([Buffer.from(formatChatEvent('a') + formatChatEvent('b').slice(0, 30))], false);
  expect(response.content.texts).toEqual(['a']);
  expect(response.failure).toBeUndefined();
});

test.each([
  'null',
  '1',
  '"text"',
  '[]',
  '{}',
  '{"choices":[null]}',
  '{"choices":[{"delta":7}]}',
  '{"choices":{}}',
])('ignores an event of %s', json => {
  const response = readStream([Buffer.from(`data: ${json}\n\n${formatChatEvent('a')}`)]);
  expect([response.content.texts, response.failure]).toEqual([['a'], undefined]);
});

test('limits the size of an event', () => {
  const response = new ParsedResponse();
  const reader = new EventStreamReader(ENDPOINTS.chat, response);
  reader.readBytes(1, Buffer.from('data: '));
  const piece = Buffer.alloc(1 << 20, 'x');
  for (let i = 0; i < 20; i++) reader.readBytes(2, piece);
  reader.end(true, () => {});
  expect(response.failure).toMatchObject({ type: 'TooLarge' });
});

test.each(['\n', '\r\n', '\r'])(
  'reads lines that end with %j, and dates each event at its last line end',
  lineEnd => {
    const events = ['a', 'b'].map(text => formatChatEvent(text).replaceAll('\n', lineEnd));
    const pieces = events.map(event => Buffer.from(event));
    const { content } = readStream([...pieces, Buffer.from(DONE.replaceAll('\n', lineEnd))]);
    expect(content.texts).toEqual(['a', 'b']);
    expect([...content.times]).toEqual([1, 2]);
  },
);

test('an LF in the piece after its CR does not end another line', () => {
  const response = readStream([
    Buffer.from('data: {"choices":[{"delta":{"content":\r'),
    Buffer.alloc(0),
    Buffer.from('\ndata: "a"}}]}\r'),
    Buffer.from('\n\r\n'),
  ]);
  expect(response.content.texts).toEqual(['a']);
  expect(response.failure).toBeUndefined();
});
