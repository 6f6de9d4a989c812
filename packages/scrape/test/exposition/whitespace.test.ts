import { describe, expect, it, test } from 'vitest';
import { isBlank, strip, stripEnd, stripStart } from '../../src/exposition/whitespace.ts';

/** The character codes for which Python's str.isspace() is true. */
const BLANKS = [
  9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];

describe('whitespace', () => {
  it("consists of the characters for which Python's str.isspace() is true", () => {
    const blankCodes = Array.from({ length: 0x10000 }, (_, code) => code).filter(isBlank);
    expect(blankCodes).toEqual(BLANKS);
  });

  test.each([
    ['', '', '', ''],
    [' \t', '', '', ''],
    [' a b ', 'a b', 'a b ', ' a b'],
    ['\u0085a\u3000', 'a', 'a\u3000', '\u0085a'],
    ['\ufeffa\u200b', '\ufeffa\u200b', '\ufeffa\u200b', '\ufeffa\u200b'],
  ])('is stripped from %j', (text, both, start, end) => {
    expect([strip(text), stripStart(text), stripEnd(text)]).toEqual([both, start, end]);
  });
});
