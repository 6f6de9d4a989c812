import { Buffer } from 'node:buffer';

/**
 * Reads the numbers of an exposition as Python's float() does, which decides what a Prometheus body may say:
 * no hexadecimal, no suffixes, `nan` and `inf`/`infinity` in any case, Unicode digits.
 */

const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LOWER_E = 101;
const LOWER_CASE = 32;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;
const PLAIN = /^[\x21-\x7e]*$/;

/**
 * The number that `bytes` spell between `start` and `end`, or undefined when they spell none.
 *
 * Where the digits make an integer below 2^53 and the power of ten is at most 22, one multiplication or division rounds
 * right (Clinger's fast path); all else goes through the engine's own conversion.
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  const first = at;
  let mantissa = 0;
  let point = -1;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === POINT - ZERO && point === -1) point = at;
    else break;
  }
  const digits = at - first - (point === -1 ? 0 : 1);
  let power = point === -1 ? 0 : point + 1 - at;
  if (at < end) {
    const exponent = digits > 0 ? readExponent(bytes, at, end) : undefined;
    if (exponent === undefined) return numberOf(latin1(bytes, start, end));
    power += exponent;
  }
  if (digits === 0) return undefined;
  if (mantissa >= 2 ** 53 || power > 22 || power < -22) return Number(latin1(bytes, start, end));
  const value = power < 0 ? mantissa / POWERS_OF_TEN[-power]! : mantissa * POWERS_OF_TEN[power]!;
  return sign === MINUS ? -value : value;
}

/** The exponent that `e+09` spells, up to 999; undefined when it is anything else. */
function readExponent(bytes: Uint8Array, start: number, end: number): number | undefined {
  if ((bytes[start]! | LOWER_CASE) !== LOWER_E) return undefined;
  let at = start + 1;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  if (at === end || end - at > 3) return undefined;
  let exponent = 0;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    exponent = exponent * 10 + digit;
  }
  return sign === MINUS ? -exponent : exponent;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
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
