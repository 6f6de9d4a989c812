import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';
import { EventReader } from '../../src/response/eventStreamReader.ts';
import { Answer } from '../../src/response/response.ts';
import { DONE, said } from '../support/server.ts';

/** Reads a stream that comes in these pieces; piece k arrives at time k + 1. */
function read(pieces: readonly Uint8Array[], isComplete = true): Answer {
  const answer = new Answer();
  const reader = new EventReader(chat, answer);
  for (const [index, piece] of pieces.entries()) reader.bytes(index + 1, piece);
  reader.end(isComplete, () => {});
  return answer;
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1]!, end));
}

const part = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(text => said(text)),
  fc.constant(': a comment\n\n'),
  fc.constant(':\r\n\r\n'),
  fc.constant('event: message\nid: 7\nretry: 3\ndata: {"choices":[]}\n\n'),
  fc.constant(said('two\nlines').replaceAll('\n\n', '\r\n\r\n')),
  fc.constant('data: {"choices":[{"delta":\ndata: {"content":"over two data lines"}}]}\n\n'),
);

describe('any split of any stream', () => {
  test('gives the same events', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (parts, cuts) => {
          const bytes = Buffer.from(`${parts.join('')}${said('end')}${DONE}`);
          const [one, many] = [read([bytes]), read(split(bytes, cuts))];
          expect(many.text.texts).toEqual(one.text.texts);
          expect(many.events).toBe(one.events);
          expect([many.isDone, many.failure]).toEqual([true, one.failure]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('gives them the times of the bytes that completed them, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), cuts => {
        const texts = ['a', 'é', '日本', '🙂', 'z'];
        const parts = texts.map(text => Buffer.from(said(text)));
        const pieces = split(Buffer.concat(parts), cuts);
        const { text } = read(pieces);
        expect(text.texts).toEqual(texts);
        let end = 0;
        const ends = parts.map(bytes => {
          end += bytes.length;
          return end;
        });
        // The piece in which the last byte of the event lies.
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
        expect([...text.times]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

const rows: [
  string,
  string,
  Partial<Pick<Answer, 'events' | 'isDone' | 'finishReason'>> & { texts: string[] },
][] = [
  ['usual', said('a') + said('b') + DONE, { texts: ['a', 'b'], events: 3, isDone: true }],
  ['without an end', said('a'), { texts: ['a'], isDone: false }],
  ['without the last empty line', said('a') + said('b').trimEnd(), { texts: ['a', 'b'] }],
  ['role only', said('') + said('a'), { texts: ['a'], events: 2 }],
  ['with a byte order mark', `\uFEFF${said('a')}`, { texts: ['a'] }],
  [
    'bare carriage returns',
    said('a').replaceAll('\n', '\r') + said('b').replaceAll('\n', '\r'),
    { texts: ['a', 'b'] },
  ],
  ['unknown fields', `foo: bar\n${said('a')}`, { texts: ['a'] }],
];

test.each(rows)('%s', (_, stream, { texts, ...expected }) => {
  const answer = read([Buffer.from(stream)]);
  expect(answer.failure).toBeUndefined();
  expect(answer.text.texts).toEqual(texts);
  expect(answer).toMatchObject(expected);
});

test('usage in the last chunk', () => {
  const usage = {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
  };
  const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const answer = read([Buffer.from(said('a', { usage: null }) + last + DONE)]);
  expect(answer.usage).toEqual({ promptTokens: 3, completionTokens: 2, totalTokens: 5, cachedTokens: 1 });
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
    'an error event in plain words',
    'event: error\ndata: upstream is gone\n\n',
    'StreamError',
    'upstream is gone',
  ],
  ['an error as a text', 'data: {"error":"no room"}\n\n', 'StreamError', 'no room'],
  [
    'an error object',
    'data: {"object":"error","message":"bad","type":"BadRequestError","code":400}\n\n',
    'StreamError',
    'BadRequestError: bad',
  ],
  [
    'no JSON',
    'data: {"choices":[{"delta":\n\n',
    'InvalidAnswer',
    'an event of the stream is no JSON: {"choices"',
  ],
])('%s fails the answer, and what came before stays', (_, event, type, message) => {
  const answer = read([Buffer.from(said('a') + event + said('b'))]);
  expect(answer.failure).toMatchObject({ type });
  expect(answer.failure?.message).toContain(message);
  expect(answer.text.texts).toEqual(['a', 'b']);
});

test('half an event of a broken connection is no event', () => {
  const answer = read([Buffer.from(said('a') + said('b').slice(0, 30))], false);
  expect(answer.text.texts).toEqual(['a']);
  expect(answer.failure).toBeUndefined();
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
])('an event of %s has no content and does no harm', json => {
  const answer = read([Buffer.from(`data: ${json}\n\n${said('a')}`)]);
  expect([answer.text.texts, answer.failure]).toEqual([['a'], undefined]);
});

test('an event without an end does not fill the memory', () => {
  const answer = new Answer();
  const reader = new EventReader(chat, answer);
  reader.bytes(1, Buffer.from('data: '));
  const piece = Buffer.alloc(1 << 20, 'x');
  for (let i = 0; i < 20; i++) reader.bytes(2, piece);
  reader.end(true, () => {});
  expect(answer.failure).toMatchObject({ type: 'TooLarge' });
});
