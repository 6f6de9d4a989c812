import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideExactly } from '../../src/exposition/exactDivision.ts';

/** Generates 16 to 22 decimal digits and the number of decimal places, from 0 to 22. */
const decimals = fc.tuple(fc.stringMatching(/^[1-9]\d{15,21}$/), fc.nat(22));

function divideDecimal(digits: string, places: number): number | undefined {
  const [high, low] = [digits.slice(0, 15), digits.slice(15)];
  return divideExactly(Number(high), 10 ** low.length, Number(low), 10 ** places);
}

describe('divideExactly', () => {
  it('returns the same double as Number(), or undefined in rare cases', () => {
    let undefinedCount = 0;
    fc.assert(
      fc.property(decimals, ([digits, places]) => {
        const quotient = divideDecimal(digits, places);
        if (quotient === undefined) undefinedCount++;
        else expect(quotient).toBe(Number(`${digits}e-${places}`));
      }),
      { numRuns: 5000 },
    );
    expect(undefinedCount).toBeLessThan(250); // fast-check generates many exact halves, which are rare in real bodies
  });

  it.each([
    ['9007199254740993', 0], // halfway between two doubles
    ['90071992547409915', 1],
    ['90071992547409925', 1],
  ])('returns the correct double or undefined for %s with %i decimal places', (digits, places) => {
    expect([undefined, Number(`${digits}e-${places}`)]).toContain(divideDecimal(digits, places));
  });
});
