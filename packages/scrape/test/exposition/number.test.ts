import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseNumber, readNumber } from '../../src/exposition/number.ts';

function readText(text: string): number | undefined {
  const bytes = Buffer.from(`x ${text} y`);
  return readNumber(bytes, 2, bytes.length - 2);
}

const SPELLINGS: [string, number | undefined][] = [
  ['0', 0],
  ['-0', -0],
  ['+5', 5],
  ['00012', 12],
  ['1.', 1],
  ['.5', 0.5],
  ['-.5e1', -5],
  ['1e3', 1000],
  ['1E+03', 1000],
  ['1.7580412345678e+09', 1758041234.5678],
  ['1.7e-09', 1.7e-9],
  ['9007199254740993', 9007199254740992],
  ['123456789012345678901234567890', 1.2345678901234568e29],
  ['0.1', 0.1],
  ['5e-324', 5e-324],
  ['1e-400', 0],
  ['1e400', Infinity],
  ['-1e400', -Infinity],
  ['1e0000000000000003', 1000],
  ['NaN', NaN],
  ['-nan', NaN],
  ['Inf', Infinity],
  ['+inf', Infinity],
  ['-INFINITY', -Infinity],
  ['١٢.٥', 12.5],
  ['𝟙𝟘', 10],
  ['', undefined],
  ['.', undefined],
  ['-', undefined],
  ['+-1', undefined],
  ['1e', undefined],
  ['1e+', undefined],
  ['e5', undefined],
  ['1.2.3', undefined],
  ['1_000', undefined],
  ['0x10', undefined],
  ['0b1', undefined],
  ['1 ', undefined],
  ['1f', undefined],
  ['infinite', undefined],
  ['½', undefined],
  ['²', undefined],
];

describe.each([
  ['readNumber', readText],
  ['parseNumber', parseNumber],
])('%s', (name, parse) => {
  test.each(SPELLINGS)('reads %j as %s', (text, expected) => {
    // readNumber returns undefined for non-ASCII bytes, which it does not decode.
    const isAscii = /^[\x20-\x7e]*$/.test(text);
    expect(parse(text)).toBe(name === 'parseNumber' || isAscii ? expected : undefined);
  });

  it('rounds like JavaScript', () => {
    fc.assert(
      fc.property(fc.double(), value => {
        const spelled = [String(value), value.toExponential()];
        if (Math.abs(value) < 1e21) spelled.push(value.toFixed(12));
        for (const text of spelled) expect(parse(text)).toBe(Number(text));
      }),
      { numRuns: 500 },
    );
  });

  it('rounds decimals of any length like JavaScript', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,25}(\.\d{0,25})?(e[+-]?\d{1,3})?$/), text => {
        expect(parse(text)).toBe(Number(text));
      }),
      { numRuns: 500 },
    );
  });
});
