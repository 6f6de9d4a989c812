import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideExactly } from '../../src/exposition/exactDivision.ts';

/** 16 to 22 digits, and the number of them after the decimal point. */
const decimals = fc.tuple(fc.stringMatching(/^[1-9]\d{15,21}$/), fc.nat(22));

function divideDecimal(digits: string, places: number): number | undefined {
  const [high, low] = [digits.slice(0, 15), digits.slice(15)];
  return divideExactly(Number(high), 10 ** low.length, Number(low), 10 ** places);
}

describe('divideExactly', () => {
  it("equals the engine's conversion wherever it is defined", () => {
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
    ['9007199254740993', 0], // half way between two doubles
    ['90071992547409915', 1],
    ['90071992547409925', 1],
  ])('is undefined or correct for %s with %i decimals', (digits, places) => {
    expect([undefined, Number(`${digits}e-${places}`)]).toContain(divideDecimal(digits, places));
  });
});
