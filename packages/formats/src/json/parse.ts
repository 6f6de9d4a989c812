import { findArrayEnd } from './arrayEnd.ts';
import { MAX_INTEGER_DIGITS, parseIntegerLiteral } from './integerLiteral.ts';
import type { Path } from './path.ts';
import { StringCache } from './stringCache.ts';
import { describeToken, JsonSyntaxError } from './syntaxError.ts';

/** A duplicate key in an object. The last value is used, as in JSON.parse. */
export interface DuplicateKey {
  readonly path: Path;
  readonly offset: number;
}

/** Message of the finding for a duplicate key. */
export const DUPLICATE_KEY_MESSAGE = 'is a duplicate key; parsers disagree on which value to use';

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
  /** True if the value contains a bigint outside `_ns` fields: an integer that a number cannot represent exactly. */
  readonly wide: boolean;
}

/** Maximum nesting of objects and arrays, for reading and writing. Exports have fewer than 12 levels. */
export const MAX_NESTING_DEPTH = 512;

/** Options of `parseJson`. */
export interface ParseOptions {
  /** Maximum nesting depth. Default: `MAX_NESTING_DEPTH`. */
  readonly maxDepth?: number;
  /** Number of objects and arrays around the text, if it is a part of a document. They count as nesting. */
  readonly outerDepth?: number;
  /** Strings of the parts of a document that were parsed before. */
  readonly strings?: StringCache;
  /**
   * Called for each array that is a field of the outermost object, with its offset. Returns the value of the field and the
   * offset after the array; undefined to parse the array as usual.
   */
  readonly parseArray?: (
    key: string,
    text: string,
    offset: number,
  ) => { readonly value: unknown; readonly end: number } | undefined;
  /**
   * Called for each array that is a field of an object in the outermost object, with the keys of both. If it returns true, the
   * array is not parsed or checked, and its value is an empty array.
   */
  readonly skipArray?: (outerKey: string, key: string) => boolean;
  /** Called for each member of an object or array, with its offset in the text. Used to find line numbers. */
  readonly onMember?: (container: object, key: string | number, offset: number) => void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Integers with up to this many digits are exact in a double. */
const MAX_SAFE_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Parses JSON with exact integers. An integer in a field whose name ends with `_ns` becomes a bigint, so that
 * time differences are exact. Any other integer becomes a number if a double represents it with the same
 * digits, and otherwise a bigint. Other spellings, such as `1.76e18` and `503.0`, have the same value as the
 * integer. `narrowIntegers` converts such bigints to numbers in fields that the schema
 * defines as numbers. `__proto__` is an ordinary key.
 *
 * @throws JsonSyntaxError if the text is not JSON or is nested deeper than `maxDepth` (default 512)
 */
export function parseJson(text: string, options: ParseOptions = {}): ParsedJson {
  const parser = new Parser(text, options);
  return { value: parser.parseDocument(), duplicates: parser.duplicates, wide: parser.wide };
}

/** A recursive descent parser for one JSON text. */
class Parser {
  readonly duplicates: DuplicateKey[] = [];
  wide = false;
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #parseFieldArray: ParseOptions['parseArray'] | undefined;
  readonly #skipArray: ParseOptions['skipArray'] | undefined;
  readonly #onMember: ParseOptions['onMember'] | undefined;
  readonly #path: (string | number)[] = [];
  readonly #outerDepth: number;
  readonly #strings: StringCache;
  #at: number;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    this.#maxDepth = options.maxDepth ?? MAX_NESTING_DEPTH;
    this.#outerDepth = options.outerDepth ?? 0;
    this.#strings = options.strings ?? new StringCache();
    this.#parseFieldArray = options.parseArray;
    this.#skipArray = options.skipArray;
    this.#onMember = options.onMember;
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  parseDocument(): unknown {
    const value = this.#parseValue(this.#skipWhitespace(), false);
    const next = this.#skipWhitespace();
    if (!Number.isNaN(next))
      this.#fail(`${describeToken(this.#text, this.#at)} after the end of the document`);
    return value;
  }

  /** Skips whitespace and returns the next character code, or NaN at the end. */
  #skipWhitespace(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  #parseValue(code: number, isNanoseconds: boolean): unknown {
    if (code === QUOTE) return this.#parseString();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#parseNumber(isNanoseconds);
    if (code === OPEN_BRACE) return this.#parseObject();
    if (code === OPEN_BRACKET) return this.#parseArray();
    if (this.#skipWord('true')) return true;
    if (this.#skipWord('false')) return false;
    if (this.#skipWord('null')) return null;
    return this.#fail(`${describeToken(this.#text, this.#at)}; expected a value`);
  }

  #parseObject(): object {
    const out: Record<string, unknown> = {};
    const depth = this.#enter();
    if (this.#skipWhitespace() === CLOSE_BRACE) this.#at++;
    else
      for (;;) {
        this.#parseMember(out, depth);
        const code = this.#skipWhitespace();
        this.#at++;
        if (code === CLOSE_BRACE) break;
        if (code !== COMMA) this.#failBefore('"," or "}" after a member');
      }
    this.#path.length = depth;
    return out;
  }

  #parseMember(out: Record<string, unknown>, depth: number): void {
    if (this.#skipWhitespace() !== QUOTE)
      this.#fail(`${describeToken(this.#text, this.#at)}; expected a key in quotes`);
    const start = this.#at;
    const key = this.#parseString();
    if (this.#skipWhitespace() !== COLON)
      this.#fail(`${describeToken(this.#text, this.#at)}; expected ":" after the key ${JSON.stringify(key)}`);
    this.#at++;
    this.#path[depth] = key;
    const value = this.#parseMemberValue(key, depth);
    if (key in out && Object.hasOwn(out, key))
      this.duplicates.push({ path: this.#path.slice(0, depth + 1), offset: start });
    this.#onMember?.(out, key, start);
    if (key === '__proto__') defineMember(out, key, value);
    else out[key] = value;
  }

  #parseMemberValue(key: string, depth: number): unknown {
    const code = this.#skipWhitespace();
    const parsed = code === OPEN_BRACKET ? this.#parseMemberArray(key, depth) : undefined;
    if (!parsed) return this.#parseValue(code, key.endsWith('_ns'));
    this.#at = parsed.end;
    return parsed.value;
  }

  /** Parses or skips an array that `ParseOptions` handles. Returns undefined to parse it as usual. */
  #parseMemberArray(
    key: string,
    depth: number,
  ): { readonly value: unknown; readonly end: number } | undefined {
    if (depth === 0) return this.#parseFieldArray?.(key, this.#text, this.#at);
    if (depth !== 1 || !this.#skipArray?.(String(this.#path[0]), key)) return undefined;
    const end = findArrayEnd(this.#text, this.#at);
    return end === undefined ? undefined : { value: [], end };
  }

  #parseArray(): unknown[] {
    const out: unknown[] = [];
    const depth = this.#enter();
    if (this.#skipWhitespace() === CLOSE_BRACKET) this.#at++;
    else
      for (;;) {
        this.#path[depth] = out.length;
        const code = this.#skipWhitespace();
        this.#onMember?.(out, out.length, this.#at);
        out.push(this.#parseValue(code, false));
        const end = this.#skipWhitespace();
        this.#at++;
        if (end === CLOSE_BRACKET) break;
        if (end !== COMMA) this.#failBefore('"," or "]" after an item');
      }
    this.#path.length = depth;
    return out;
  }

  /** Enters an object or array and returns its depth. */
  #enter(): number {
    const depth = this.#path.length;
    if (depth + this.#outerDepth >= this.#maxDepth)
      this.#fail(`nested more than ${this.#maxDepth} levels deep`);
    this.#path.push('');
    this.#at++;
    return depth;
  }

  #parseString(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) return this.#parseEscapedString(start);
      if (!(code >= 0x20)) this.#failString(at);
      hash = (hash * 31 + code) | 0;
      at++;
    }
    this.#at = at + 1;
    return this.#strings.get(text, start, at, hash);
  }

  /** Parses a string with escape sequences, which JSON.parse decodes. */
  #parseEscapedString(start: number): string {
    const text = this.#text;
    let at = start;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      if (!(code >= 0x20)) this.#failString(at);
      at += code === BACKSLASH ? 2 : 1;
    }
    try {
      const value: string = JSON.parse(text.slice(start - 1, at + 1));
      this.#at = at + 1;
      return value;
    } catch {
      return this.#fail('invalid escape sequence in a string');
    }
  }

  #failString(at: number): never {
    this.#at = at;
    if (at >= this.#text.length) this.#fail('unexpected end of input in a string');
    this.#fail('unescaped control character in a string');
  }

  #parseNumber(isNanoseconds: boolean): number | bigint {
    const text = this.#text;
    const start = this.#at;
    const isNegative = text.charCodeAt(start) === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let mantissa = 0;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) {
      mantissa = mantissa * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    const digits = at - first;
    this.#checkInteger(first, digits);
    if (code !== DOT && code !== 0x65 && code !== 0x45) {
      this.#at = at;
      // Integers with more digits are parsed as infinity, as in JSON.parse. Parsing a bigint takes quadratic time.
      if (digits > MAX_INTEGER_DIGITS)
        return isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      if (isNanoseconds) return BigInt(text.slice(start, at));
      if (digits <= MAX_SAFE_DIGITS) return isNegative ? -mantissa : mantissa;
      return this.#parseWideInteger(text.slice(start, at));
    }
    const value = this.#parseFraction(start, at, digits, mantissa, isNegative);
    return Number.isInteger(value) && (isNanoseconds || !Number.isSafeInteger(value))
      ? this.#parseIntegerLiteral(start, value, isNanoseconds)
      : value;
  }

  #checkInteger(first: number, digits: number): void {
    if (digits === 0) this.#fail(`${describeToken(this.#text, this.#at)}; expected a number`);
    if (digits > 1 && this.#text.charCodeAt(first) === ZERO) this.#fail('number with a leading zero');
  }

  /** Parses a number whose `wholeDigits` digits before the decimal point or exponent have the value `mantissa`. */
  #parseFraction(
    start: number,
    from: number,
    wholeDigits: number,
    mantissa: number,
    isNegative: boolean,
  ): number {
    const text = this.#text;
    let at = from;
    let code = text.charCodeAt(at);
    let value = mantissa;
    let decimals = 0;
    if (code === DOT) {
      code = text.charCodeAt(++at);
      while (code >= ZERO && code <= NINE) {
        value = value * 10 + (code - ZERO);
        decimals++;
        code = text.charCodeAt(++at);
      }
      if (decimals === 0) this.#failAt(at, 'number without digits after the decimal point');
    }
    if (code === 0x65 || code === 0x45) at = this.#skipExponent(at);
    // Both operands are exact doubles, so the division rounds correctly.
    else if (wholeDigits + decimals <= MAX_SAFE_DIGITS) {
      this.#at = at;
      return (isNegative ? -value : value) / POWERS_OF_TEN[decimals]!;
    }
    this.#at = at;
    return Number(text.slice(start, at));
  }

  /**
   * Returns the exact value of an integer that is written with a fraction or an exponent, such as `1.76e18`.
   *
   * @param approximate the value as a double
   */
  #parseIntegerLiteral(start: number, approximate: number, isNanoseconds: boolean): number | bigint {
    const literal = this.#text.slice(start, this.#at);
    const exact = parseIntegerLiteral(literal);
    if (isNanoseconds) return exact ?? this.#failAt(start, 'number of nanoseconds that is not an integer');
    // Larger numbers are floats: no field has integers with more than 64 bits.
    if (exact === undefined || Math.abs(approximate) >= 2 ** 64 || exact === BigInt(approximate))
      return approximate;
    this.wide = true;
    return exact;
  }

  #skipExponent(from: number): number {
    const text = this.#text;
    let at = from + 1;
    const sign = text.charCodeAt(at);
    if (sign === PLUS || sign === MINUS) at++;
    const first = at;
    while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
    if (at === first) this.#failAt(at, 'number without digits in the exponent');
    return at;
  }

  /** Parses an integer with more than `MAX_SAFE_DIGITS` digits. */
  #parseWideInteger(text: string): number | bigint {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    // A double can be equal to the integer but print different digits: 2^63 prints as 9223372036854776000.
    if (String(value) === text) return value;
    this.wide = true;
    return BigInt(text);
  }

  #skipWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Reports the character before the current offset as unexpected. */
  #failBefore(expected: string): never {
    this.#at--;
    this.#fail(`${describeToken(this.#text, this.#at)}; expected ${expected}`);
  }

  #failAt(at: number, problem: string): never {
    this.#at = at;
    this.#fail(problem);
  }

  #fail(problem: string): never {
    throw new JsonSyntaxError(problem, this.#text, this.#at);
  }
}

/** Defines an own property, even if its name is `__proto__`. */
function defineMember(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
