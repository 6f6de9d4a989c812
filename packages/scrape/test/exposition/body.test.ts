import { describe, expect, test } from 'vitest';
import { forEachLine, sliceAscii, sliceText, toBody } from '../../src/exposition/body.ts';

describe('forEachLine', () => {
  test.each<[string, [string, number][]]>([
    ['', []],
    ['\n', [['', 1]]],
    ['a', [['a', 1]]],
    [
      'a\n\nb',
      [
        ['a', 1],
        ['', 2],
        ['b', 3],
      ],
    ],
    ['a\r\n', [['a\r', 1]]],
  ])('visits the lines of %j', (text, expected) => {
    const lines: [string, number][] = [];
    forEachLine(text, (start, end, line) => lines.push([text.slice(start, end), line]));
    expect(lines).toEqual(expected);
  });
});

describe('slices', () => {
  test.each([
    ['short', 'label', 'label'],
    ['long', 'a_label_of_more_than_thirteen_bytes', 'a_label_of_more_than_thirteen_bytes'],
    ['UTF-8', 'größe', 'größe'],
    ['emoji', 'a long value with 🦙', 'a long value with 🦙'],
  ])('decode %s text', (_, text, expected) => {
    const bytes = Buffer.from(`x${text}y`);
    const body = toBody(bytes);
    expect(sliceText(body, 1, bytes.length - 1)).toBe(expected);
    if (body.isAscii) expect(sliceAscii(body, 1, bytes.length - 1)).toBe(expected);
  });

  test('replace invalid UTF-8', () => {
    expect(sliceText(toBody(Buffer.from([0x61, 0xff])), 0, 2)).toBe('a\ufffd');
  });

  test('use the offsets of a view into a larger buffer', () => {
    const buffer = Buffer.from('0123456789');
    expect(sliceText(toBody(buffer.subarray(4)), 1, 3)).toBe('56');
  });
});
