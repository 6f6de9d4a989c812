/**
 * Reads the numbers of an exposition as Python's float() does, which decides what a Prometheus body may say:
 * no hexadecimal, no suffixes, `nan` and `inf`/`infinity` in any case, Unicode digits.
 */

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;
const PLAIN = /^[\x21-\x7e]*$/;

/**
 * The number that `text` spells between `start` and `end`, or undefined when it spells none.
 *
 * Up to 15 digits with a small exponent are exact in doubles (Clinger's fast path: an integer below 2^53 times or
 * over a power of ten up to 22 rounds once); all else goes through the engine's own conversion.
 */
export function readNumber(text: string, start: number, end: number): number | undefined {
  let at = start;
  let code = text.charCodeAt(at);
  const negative = code === 45;
  if (negative || code === 43) code = text.charCodeAt(++at);
  let mantissa = 0;
  let digits = 0;
  let decimals = 0;
  const first = at;
  while (at < end && code >= 48 && code <= 57) {
    mantissa = mantissa * 10 + (code - 48);
    digits++;
    code = text.charCodeAt(++at);
  }
  if (at < end && code === 46) {
    code = text.charCodeAt(++at);
    while (at < end && code >= 48 && code <= 57) {
      mantissa = mantissa * 10 + (code - 48);
      digits++;
      decimals++;
      code = text.charCodeAt(++at);
    }
  }
  if (at === end && digits > 0 && digits <= 15 && at > first) {
    const value = decimals === 0 ? mantissa : mantissa / POWERS_OF_TEN[decimals]!;
    return negative ? -value : value;
  }
  return numberOf(text.slice(start, end));
}

/** The number that `text` spells, or undefined when it spells none. */
export function numberOf(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const word = WORD.exec(text);
  if (word) {
    if (word[2] === undefined) return Number.NaN;
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (PLAIN.test(text)) return undefined;
  const ascii = text.replace(/\p{Nd}/gu, digit => String(digitValue(digit)));
  return DECIMAL.test(ascii) ? Number(ascii) : undefined;
}

/** Unicode lays decimal digits out in runs of ten: the distance to the run's start tells the value. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (code - start) % 10;
}
