import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { MARK_KINDS, MarkRequestError, parseRequest } from '../../src/marks/protocol.ts';

const parse = (text: string) => parseRequest(Buffer.from(text));

test.each([
  ['{"mark":"profiling-start"}', { mark: 'profiling-start', text: 'profiling-start', sender: 'unknown' }],
  [
    '{"mark":"profiling-end","text":7,"sender":"a"}',
    { mark: 'profiling-end', text: 'profiling-end', sender: 'a' },
  ],
  ['{"mark":"note","text":"x y","sender":"a","more":1}', { mark: 'note', text: 'x y', sender: 'a' }],
  [
    `{"mark":"note","text":"${'\\ud83d\\ude00'.repeat(1000)}"}`,
    { text: '😀'.repeat(1000), sender: 'unknown' },
  ],
  ['{"mark":"note","text":"\\ud800","sender":"a"}\r', { mark: 'note', text: '\ufffd', sender: 'a' }],
])('parses %s', (text, request) => {
  expect(parse(text)).toEqual({ mark: 'note', ...request });
});

test.each([
  ['', 'not JSON'],
  ['mark', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['null', 'not a JSON object'],
  ['7', 'not a JSON object'],
  ['{}', 'mark is missing; expected profiling-start, profiling-end, note'],
  ['{"mark":"toString"}', 'mark is "toString"; expected profiling-start'],
  ['{"__proto__":{"mark":"note"}}', 'mark is'],
  ['{"mark":"note"}', 'text is missing'],
  ['{"mark":"note","text":" "}', 'text is " "'],
  ['{"mark":"note","text":{"a":1}}', 'text is {"a":1}; expected a non-empty text'],
  [`{"mark":"note","text":"${'x'.repeat(1001)}"}`, 'text has 1001 characters; expected at most 1000'],
  [`{"mark":"note","text":"${'😀'.repeat(1001)}"}`, 'text has 1001 characters; expected at most 1000'],
  [
    `{"mark":"note","text":"x","sender":"${'x'.repeat(101)}"}`,
    'sender has 101 characters; expected at most 100',
  ],
])('rejects %s', (text, message) => {
  expect(() => parse(text)).toThrow(message);
  expect(() => parse(text)).toThrow(MarkRequestError);
});

test('rejects bytes that are not UTF-8', () => {
  expect(() => parseRequest(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not JSON in UTF-8');
});

test('parses any bytes, or rejects them with a short message', () => {
  const random = new Random(7);
  const valid = Buffer.from('{"mark":"note","text":"half way","sender":"me"}');
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from(valid);
    for (let change = 0; change < 1 + (round % 4); change++)
      bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    const length = round % 3 === 0 ? Math.floor(random.next() * bytes.length) : bytes.length;
    try {
      const { mark, text, sender } = parseRequest(bytes.subarray(0, length));
      expect(MARK_KINDS).toContain(mark);
      expect(text.length).toBeGreaterThan(0);
      expect(sender.length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(MarkRequestError);
      expect((error as Error).message.length).toBeLessThan(200);
    }
  }
});
