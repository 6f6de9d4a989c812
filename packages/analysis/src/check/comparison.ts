import type { Comparator } from './expression.ts';

/**
 * Maximum relative difference of two equal numbers. It covers the rounding errors of arithmetic and of unit
 * conversions, such as 0.1 + 0.2 or 300 ms in seconds.
 */
const RELATIVE_TOLERANCE = 1e-9;

/** Compares two numbers. Numbers that are equal within the tolerance are neither less nor greater. */
export function compareNumbers(a: number, operator: Comparator, b: number): boolean {
  const equal = areEqual(a, b);
  switch (operator) {
    case '<':
      return a < b && !equal;
    case '<=':
      return a < b || equal;
    case '>':
      return a > b && !equal;
    case '>=':
      return a > b || equal;
    case '==':
      return equal;
    default:
      return !equal;
  }
}

/** Reports whether two numbers are equal. Counts have no rounding error, so two integers must be identical. */
function areEqual(a: number, b: number): boolean {
  if (a === b || (Number.isInteger(a) && Number.isInteger(b))) return a === b;
  return Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** The operators with the sides exchanged, such as `>` for `<`. */
export const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};

/** The operators of the negated comparisons, such as `>=` for `<`. */
export const NEGATED: Readonly<Record<Comparator, Comparator>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};

/**
 * Formats the values of a comparison with at least six significant digits, and as many as it takes to
 * distinguish different values.
 */
export function formatNumbers(a: number, b: number): readonly [string, string] {
  const needsMoreDigits = !compareNumbers(a, '==', b);
  for (let digits = 6; ; digits++) {
    const texts = [a, b].map(value => String(Number(value.toPrecision(digits)))) as [string, string];
    if (!needsMoreDigits || texts[0] !== texts[1] || digits === 17) return texts;
  }
}
