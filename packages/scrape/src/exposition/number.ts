import { Buffer } from 'node:buffer';
import { divideExactly } from './exactDivision.ts';

// Numbers are parsed like Python's float(), which prometheus_client uses: no hexadecimal, no suffixes, `nan` and
// `inf`/`infinity` in any case, Unicode digits.

// Character codes are defined in each file: V8 reloads imported constants at every use, which doubled the time
// to parse a whole body.
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LOWER_E = 101;
const LOWER_CASE_BIT = 32;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY_OR_NAN = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;
const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Parses the number in `bytes` from `start` to `end`. Returns undefined if it is invalid.
 *
 * For up to 15 digits and a power of ten up to 10^22, one multiplication or division rounds correctly
 * (Clinger 1990). For up to 22 digits, `divideExactly` nearly always returns the correctly rounded result.
 * All other numbers are converted by `Number()`.
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  const firstDigit = at;
  let high = 0; // the first 15 significant digits
  let low = 0; // the digits after the first 15
  let lowDigits = 0; // the number of digits in `low`
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
  if (at - firstDigit - (point === -1 ? 0 : 1) === 0) return parseNumber(decodeLatin1(bytes, start, end));
  let power = point === -1 ? 0 : point + 1 - at;
  if (at < end) {
    const exponent = readExponent(bytes, at, end);
    if (exponent === undefined) return parseNumber(decodeLatin1(bytes, start, end));
    power += exponent;
  }
  const value =
    scaleByPowerOfTen(high, low, lowDigits, power) ?? Math.abs(Number(decodeLatin1(bytes, start, end)));
  return sign === MINUS ? -value : value;
}

/**
 * Returns the double nearest to `(high * 10^lowDigits + low) * 10^power`; undefined if the fast path does not
 * support these operands.
 */
function scaleByPowerOfTen(high: number, low: number, lowDigits: number, power: number): number | undefined {
  if (power < -22) return undefined;
  if (lowDigits === 0) {
    if (power > 22) return undefined;
    return power < 0 ? high / POWERS_OF_TEN[-power]! : high * POWERS_OF_TEN[power]!;
  }
  if (lowDigits > 7 || power > 0) return undefined;
  return divideExactly(high, POWERS_OF_TEN[lowDigits]!, low, POWERS_OF_TEN[-power]!);
}

/** Parses an exponent of up to three digits, such as `e+09`. Returns undefined for any other text. */
function readExponent(bytes: Uint8Array, start: number, end: number): number | undefined {
  if ((bytes[start]! | LOWER_CASE_BIT) !== LOWER_E) return undefined;
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

function decodeLatin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

/** Parses the number in `text`. Returns undefined if it is invalid. */
export function parseNumber(text: string): number | undefined {
  let mantissa = 0;
  let point = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === POINT - ZERO && point === -1) point = at;
    else return parseGeneralNumber(text);
  }
  const decimals = point === -1 ? 0 : text.length - point - 1;
  if (mantissa >= 2 ** 53 || decimals > 22) return Number(text);
  if (text === '' || text === '.') return undefined;
  return mantissa / POWERS_OF_TEN[decimals]!;
}

/** Parses a number with a sign, an exponent, `inf`, `nan` or Unicode digits. */
function parseGeneralNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const match = INFINITY_OR_NAN.exec(text);
  if (match) {
    if (match[2] === undefined) return Number.NaN;
    return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (PRINTABLE_ASCII.test(text)) return undefined;
  const ascii = text.replace(/\p{Nd}/gu, toAsciiDigit);
  return DECIMAL.test(ascii) ? Number(ascii) : undefined;
}

const asciiDigits = new Map<string, string>();

/**
 * Returns the ASCII digit with the same value as a Unicode digit. Unicode encodes decimal digits in
 * consecutive runs from 0 to 9, so the value is the offset from the start of the run, modulo 10.
 */
function toAsciiDigit(digit: string): string {
  const cachedValue = asciiDigits.get(digit);
  if (cachedValue !== undefined) return cachedValue;
  const code = digit.codePointAt(0)!;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  const value = String((code - start) % 10);
  asciiDigits.set(digit, value);
  return value;
}
