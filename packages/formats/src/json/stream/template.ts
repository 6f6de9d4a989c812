import { type Column, packNumbers, type Table } from './packedObjects.ts';
import type { TimeColumns } from './timeColumns.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Numbers with up to this many digits are the quotient of two exact doubles, or an exact double. */
const MAX_SAFE_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: MAX_SAFE_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`));
/** The last digits of a time, which are the nanoseconds within a second. */
const NANOSECOND_DIGITS = 9;
const SECOND_DIGITS = 10;
/** The lowest number with `SECOND_DIGITS` digits. */
const MIN_SECONDS = 1e9;

/** The fields of an object: the index of a number of the template, a constant, or a nested object. */
export type Fields = Map<string, Field>;
/** A field of an object. */
export type Field = number | { readonly constant: unknown } | Fields;

/** Reads objects with the same text between their numbers, and collects their numbers. */
export class Template {
  /** The offset after the last object that was read. */
  end = 0;
  readonly #fields: Fields;
  /** The text before each number, and after the last one. */
  readonly #literals: readonly string[];
  /** For each number, true if it is a time in nanoseconds. */
  readonly #isTime: readonly boolean[];
  /** The numbers of all objects; for a time, its seconds. */
  readonly #columns: Float64Array[];
  /** The nanoseconds of the times; empty for other numbers. */
  readonly #nanoseconds: Float64Array[];
  /** The numbers of the object that is being read. */
  readonly #row: number[];
  readonly #rowNanoseconds: number[];
  #length = 0;
  /** The number of objects that fit into the columns. */
  #capacity: number;

  /** @param capacity expected number of objects */
  constructor(fields: Fields, literals: readonly string[], isTime: readonly boolean[], capacity: number) {
    this.#fields = fields;
    this.#literals = literals;
    this.#isTime = isTime;
    this.#capacity = Math.max(1, capacity);
    this.#columns = isTime.map(() => new Float64Array(this.#capacity));
    this.#nanoseconds = isTime.map(time => new Float64Array(time ? this.#capacity : 0));
    this.#row = isTime.map(() => 0);
    this.#rowNanoseconds = isTime.map(() => 0);
  }

  /** Reads the object at an offset. Returns false if it does not match. */
  read(text: string, start: number): boolean {
    const literals = this.#literals;
    if (!text.startsWith(literals[0]!, start)) return false;
    let at = start + literals[0]!.length;
    for (let index = 0; index < this.#row.length; index++) {
      at = this.#isTime[index] ? this.#readTime(text, at, index) : this.#readNumber(text, at, index);
      const literal = literals[index + 1]!;
      if (at === -1 || !text.startsWith(literal, at)) return false;
      at += literal.length;
    }
    this.#addRow();
    this.end = at;
    return true;
  }

  /** Returns the objects that were read. */
  createTable(times: TimeColumns): Table {
    return this.#createTable(this.#fields, times);
  }

  #createTable(fields: Fields, times: TimeColumns): Table {
    const toColumn = (key: string, field: Field): Column => {
      if (field instanceof Map) return { kind: 'table', table: this.#createTable(field, times) };
      if (typeof field !== 'number') return { kind: 'constant', value: field.constant };
      const values = this.#columns[field]!.subarray(0, this.#length);
      if (!this.#isTime[field]) return packNumbers(values);
      const split = { seconds: values, nanoseconds: this.#nanoseconds[field]!.subarray(0, this.#length) };
      return { kind: 'values', values: times.share(key, split) };
    };
    const columns = [...fields].map(([key, field]) => [key, toColumn(key, field)] as const);
    return { length: this.#length, columns: new Map(columns) };
  }

  #addRow(): void {
    if (this.#length === this.#capacity) this.#grow();
    for (let index = 0; index < this.#row.length; index++) {
      this.#columns[index]![this.#length] = this.#row[index]!;
      if (this.#isTime[index]) this.#nanoseconds[index]![this.#length] = this.#rowNanoseconds[index]!;
    }
    this.#length++;
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const columns of [this.#columns, this.#nanoseconds])
      for (const [index, column] of columns.entries())
        if (column.length > 0) columns[index] = copyTo(new Float64Array(this.#capacity), column);
  }

  /** Reads a number that is not negative as seconds and nanoseconds. Returns the offset after it; -1 for other text. */
  #readTime(text: string, start: number, index: number): number {
    const whole = start + SECOND_DIGITS;
    const seconds = readDigits(text, start, whole);
    const nanoseconds = readDigits(text, whole, whole + NANOSECOND_DIGITS);
    // A time between 2001 and 2286 has 19 digits.
    if (seconds >= MIN_SECONDS && nanoseconds >= 0 && !isDigit(text.charCodeAt(whole + NANOSECOND_DIGITS))) {
      this.#row[index] = seconds;
      this.#rowNanoseconds[index] = nanoseconds;
      return whole + NANOSECOND_DIGITS;
    }
    return this.#readAnyTime(text, start, index);
  }

  #readAnyTime(text: string, start: number, index: number): number {
    let end = start;
    while (isDigit(text.charCodeAt(end))) end++;
    const digits = end - start;
    const hasLeadingZero = digits > 1 && text.charCodeAt(start) === ZERO;
    if (digits === 0 || digits > MAX_SAFE_DIGITS + NANOSECOND_DIGITS || hasLeadingZero) return -1;
    const split = Math.max(start, end - NANOSECOND_DIGITS);
    this.#row[index] = readDigits(text, start, split);
    this.#rowNanoseconds[index] = readDigits(text, split, end);
    return end;
  }

  /** Reads a number whose value is exact in a double. Returns the offset after it; -1 for other text. */
  #readNumber(text: string, start: number, index: number): number {
    const isNegative = text.charCodeAt(start) === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let value = 0;
    let code = text.charCodeAt(at);
    for (; isDigit(code); code = text.charCodeAt(++at)) value = value * 10 + (code - ZERO);
    const digits = at - first;
    if (digits === 0 || (digits > 1 && text.charCodeAt(first) === ZERO)) return -1;
    const point = at;
    if (code === DOT)
      for (code = text.charCodeAt(++at); isDigit(code); code = text.charCodeAt(++at))
        value = value * 10 + (code - ZERO);
    const decimals = at - point - 1;
    if (decimals === 0) return -1;
    if (code === 0x65 || code === 0x45)
      return this.#readLongNumber(text, start, skipExponent(text, at), index);
    if (at - first > MAX_SAFE_DIGITS) return this.#readLongNumber(text, start, at, index);
    if (decimals > 0) value /= POWERS_OF_TEN[decimals]!;
    this.#row[index] = isNegative ? -value : value;
    return at;
  }

  #readLongNumber(text: string, start: number, end: number, index: number): number {
    const value = Number(text.slice(start, end));
    // The JSON parser decides whether such an integer is a number or a bigint, and reports an invalid exponent.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return -1;
    this.#row[index] = value;
    return end;
  }
}

/** Returns the offset after the exponent at an offset. An exponent without digits is not a number. */
function skipExponent(text: string, from: number): number {
  const sign = text.charCodeAt(from + 1);
  let at = sign === MINUS || sign === PLUS ? from + 2 : from + 1;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Reads a number of at most 15 digits. Returns -1 for other text. */
function readDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function copyTo(target: Float64Array, source: Float64Array): Float64Array {
  target.set(source);
  return target;
}
