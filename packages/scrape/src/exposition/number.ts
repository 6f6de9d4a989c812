import { Buffer } from 'node:buffer';
import { divideExactly } from './exactDivision.ts';

/**
 * Reads the numbers of an exposition as Python's float() does, which decides what a Prometheus body may say:
 * no hexadecimal, no suffixes, `nan` and `inf`/`infinity` in any case, Unicode digits.
 */

// Characters are each file's own: an imported constant is loaded anew at every use, and a cold body took twice as long.
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LOWER_E = 101;
const LOWER_CASE = 32;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;
const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * The number that `bytes` spell between `start` and `end`, or undefined when they spell none.
 *
 * Of up to 15 digits and a power of ten of at most 22, one multiplication or division rounds right (Clinger 1990); of up
 * to 22 digits, `divideExactly` nearly always; all else goes through the engine's own conversion.
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  const first = at;
  let high = 0; // the first 15 significant digits
  let low = 0; // the digits behind them, and how many they are
  let lowDigits = 0;
  let point = -1;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (high < 1e14) high = high * 10 + digit;
      else {
        low = low * 10 + digit;
        lowDigits++;
      }
    } else if (digit === POINT - ZERO && point === -1) point = at;
    else break;
  }
  if (at - first - (point === -1 ? 0 : 1) === 0) return parseNumber(latin1(bytes, start, end));
  let power = point === -1 ? 0 : point + 1 - at;
  if (at < end) {
    const exponent = readExponent(bytes, at, end);
    if (exponent === undefined) return parseNumber(latin1(bytes, start, end));
    power += exponent;
  }
  const value = scaled(high, low, lowDigits, power) ?? Math.abs(Number(latin1(bytes, start, end)));
  return sign === MINUS ? -value : value;
}

/** The double nearest to the digits times a power of ten; undefined when that takes more than is done here. */
function scaled(high: number, low: number, lowDigits: number, power: number): number | undefined {
  if (power < -22) return undefined;
  if (lowDigits === 0) {
    if (power > 22) return undefined;
    return power < 0 ? high / POWERS_OF_TEN[-power]! : high * POWERS_OF_TEN[power]!;
  }
  if (lowDigits > 7 || power > 0) return undefined;
  return divideExactly(high, POWERS_OF_TEN[lowDigits]!, low, POWERS_OF_TEN[-power]!);
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
export function parseNumber(text: string): number | undefined {
  let mantissa = 0;
  let point = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === POINT - ZERO && point === -1) point = at;
    else return parseSpelledNumber(text);
  }
  const decimals = point === -1 ? 0 : text.length - point - 1;
  if (mantissa >= 2 ** 53 || decimals > 22) return Number(text);
  if (text === '' || text === '.') return undefined;
  return mantissa / POWERS_OF_TEN[decimals]!;
}

/** The same for numbers of more than digits and a point. */
function parseSpelledNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const word = WORD.exec(text);
  if (word) {
    if (word[2] === undefined) return Number.NaN;
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (PRINTABLE_ASCII.test(text)) return undefined;
  const ascii = text.replace(/\p{Nd}/gu, asciiDigit);
  return DECIMAL.test(ascii) ? Number(ascii) : undefined;
}

const digitValues = new Map<string, string>();

/** The ASCII digit of the same value. Unicode lays digits out in runs of ten: the distance to a run's start is the value. */
function asciiDigit(digit: string): string {
  const known = digitValues.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0)!;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  const value = String((code - start) % 10);
  digitValues.set(digit, value);
  return value;
}
