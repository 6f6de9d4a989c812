import type { Path } from './path.ts';

/** A text that is not JSON: what is wrong, and where. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(problem: string, text: string, offset: number) {
    const { line, column } = locateOffset(text, offset);
    super(`cannot read JSON: ${problem} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

/** A key that an object has twice. The last value counts, as in every reader. */
export interface DuplicateKey {
  readonly path: Path;
  readonly offset: number;
}

/** What a text says. */
export interface ParsedJson {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
  /** Whether an integer outside a `_ns` field came as a bigint, because no double is equal to it. */
  readonly wide: boolean;
}

/** Objects and arrays in each other that are read, and written; documents of ours have less than 12 levels. */
export const MAX_NESTING_DEPTH = 512;

export interface ParseOptions {
  /** Deepest nesting that is read; `MAX_NESTING_DEPTH` when absent. */
  readonly maxDepth?: number;
  /** Told where each member of an object or array begins, for finding lines afterwards. */
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

/** Integers of more digits are infinite, as they are for JSON.parse: the largest double has 309. */
const MAX_INTEGER_DIGITS = 309;

/** Below this many digits an integer is exact in a double while it is being added up. */
const MAX_SAFE_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads JSON with exact integers: the value of a key that ends in `_ns` is a bigint, so that differences of
 * times are exact; another integer is a number when a double is equal to it and prints the same digits, and a
 * bigint otherwise. Readers of documents then make numbers of those that a schema has as such (`narrowIntegers`).
 * A key `__proto__` is a key like any other.
 *
 * @throws JsonSyntaxError for what is not JSON, and for nesting deeper than `maxDepth` (512).
 */
export function parseJson(text: string, options: ParseOptions = {}): ParsedJson {
  const parser = new Parser(text, options);
  return { value: parser.document(), duplicates: parser.duplicates, wide: parser.wide };
}

/** Line and column, from 1, of an offset. */
export function locateOffset(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

class Parser {
  readonly duplicates: DuplicateKey[] = [];
  wide = false;
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #onMember: ParseOptions['onMember'] | undefined;
  readonly #path: (string | number)[] = [];
  readonly #known = new StringCache();
  #at: number;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    this.#maxDepth = options.maxDepth ?? MAX_NESTING_DEPTH;
    this.#onMember = options.onMember;
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  document(): unknown {
    const value = this.#value(this.#next(), false);
    const rest = this.#next();
    if (!Number.isNaN(rest)) this.#fail(`${this.#shown()} after the end of the document`);
    return value;
  }

  /** Skips white space; the character there, NaN at the end. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  #value(code: number, nanoseconds: boolean): unknown {
    if (code === QUOTE) return this.#string();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number(nanoseconds);
    if (code === OPEN_BRACE) return this.#object();
    if (code === OPEN_BRACKET) return this.#array();
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    if (this.#word('null')) return null;
    return this.#fail(`${this.#shown()} where a value should be`);
  }

  #object(): object {
    const out: Record<string, unknown> = {};
    const depth = this.#enter();
    if (this.#next() === CLOSE_BRACE) this.#at++;
    else
      for (;;) {
        this.#member(out, depth);
        const code = this.#next();
        this.#at++;
        if (code === CLOSE_BRACE) break;
        if (code !== COMMA) this.#failBefore('"," or "}" after a member');
      }
    this.#path.length = depth;
    return out;
  }

  #member(out: Record<string, unknown>, depth: number): void {
    if (this.#next() !== QUOTE) this.#fail(`${this.#shown()} where a key in quotes should be`);
    const start = this.#at;
    const key = this.#string();
    if (this.#next() !== COLON)
      this.#fail(`${this.#shown()} where ":" should follow the key ${JSON.stringify(key)}`);
    this.#at++;
    this.#path[depth] = key;
    const value = this.#value(this.#next(), key.endsWith('_ns'));
    if (key in out && Object.hasOwn(out, key))
      this.duplicates.push({ path: this.#path.slice(0, depth + 1), offset: start });
    this.#onMember?.(out, key, start);
    if (key === '__proto__') define(out, key, value);
    else out[key] = value;
  }

  #array(): unknown[] {
    const out: unknown[] = [];
    const depth = this.#enter();
    if (this.#next() === CLOSE_BRACKET) this.#at++;
    else
      for (;;) {
        this.#path[depth] = out.length;
        const code = this.#next();
        this.#onMember?.(out, out.length, this.#at);
        out.push(this.#value(code, false));
        const end = this.#next();
        this.#at++;
        if (end === CLOSE_BRACKET) break;
        if (end !== COMMA) this.#failBefore('"," or "]" after an item');
      }
    this.#path.length = depth;
    return out;
  }

  /** Steps into an object or array: its depth. */
  #enter(): number {
    const depth = this.#path.length;
    if (depth >= this.#maxDepth) this.#fail(`nested more than ${this.#maxDepth} deep`);
    this.#path.push('');
    this.#at++;
    return depth;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) return this.#escapedString(start);
      if (!(code >= 0x20)) this.#failString(at);
      hash = (hash * 31 + code) | 0;
      at++;
    }
    this.#at = at + 1;
    return this.#known.get(text, start, at, hash);
  }

  /** A string with escapes: its end is found first, and JSON.parse knows the rest. */
  #escapedString(start: number): string {
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
      return this.#fail('a string with an escape that JSON does not have');
    }
  }

  #failString(at: number): never {
    this.#at = at;
    if (at >= this.#text.length) this.#fail('the text ends in the middle of a string');
    this.#fail('a string with a raw control character, which has to be escaped');
  }

  #number(nanoseconds: boolean): number | bigint {
    const text = this.#text;
    const start = this.#at;
    const negative = text.charCodeAt(start) === MINUS;
    const first = negative ? start + 1 : start;
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
      // The time that a bigint takes grows with the square of its digits; whoever writes so many means no number.
      if (digits > MAX_INTEGER_DIGITS) return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      if (nanoseconds) return BigInt(text.slice(start, at));
      if (digits <= MAX_SAFE_DIGITS) return negative ? -mantissa : mantissa;
      return this.#wideInteger(text.slice(start, at));
    }
    return this.#fraction(start, at, digits, mantissa, negative);
  }

  #checkInteger(first: number, digits: number): void {
    if (digits === 0) this.#fail(`${this.#shown()} where a number should be`);
    if (digits > 1 && this.#text.charCodeAt(first) === ZERO) this.#fail('a number with a leading zero');
  }

  /** The rest of a number from its dot or exponent on. `mantissa` is exact while the digits are few. */
  #fraction(start: number, from: number, whole: number, mantissa: number, negative: boolean): number {
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
      if (decimals === 0) this.#failAt(at, 'a number without digits after its dot');
    }
    if (code === 0x65 || code === 0x45) at = this.#exponent(at);
    // Both parts are exact doubles, so that one division rounds correctly.
    else if (whole + decimals <= MAX_SAFE_DIGITS) {
      this.#at = at;
      return (negative ? -value : value) / POWERS_OF_TEN[decimals]!;
    }
    this.#at = at;
    return Number(text.slice(start, at));
  }

  #exponent(from: number): number {
    const text = this.#text;
    let at = from + 1;
    const sign = text.charCodeAt(at);
    if (sign === PLUS || sign === MINUS) at++;
    const first = at;
    while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
    if (at === first) this.#failAt(at, 'a number without digits in its exponent');
    return at;
  }

  #wideInteger(text: string): number | bigint {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    // A double may be exactly that integer and yet be written with other digits: 2^63 as 9223372036854776000.
    if (String(value) === text) return value;
    this.wide = true;
    return BigInt(text);
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** What stands at this place, for a message. */
  #shown(): string {
    if (this.#at >= this.#text.length) return 'the text ends';
    const rest = this.#text.slice(this.#at, this.#at + 12);
    if (/^-?(nan|inf)/i.test(rest)) return `${/^-?\w+/.exec(rest)![0]}, which JSON does not have,`;
    return `${JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#at)!))} stands`;
  }

  #failBefore(expected: string): never {
    this.#at--;
    this.#fail(`${this.#shown()} where ${expected} should be`);
  }

  #failAt(at: number, problem: string): never {
    this.#at = at;
    this.#fail(problem);
  }

  #fail(problem: string): never {
    throw new JsonSyntaxError(problem, this.#text, this.#at);
  }
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Strings that come again and again (keys, URLs, label values) are cut out of the text once. */
class StringCache {
  readonly #slots: (string | undefined)[] = new Array(4096).fill(undefined);

  get(text: string, start: number, end: number, hash: number): string {
    const length = end - start;
    if (length > 64) return text.slice(start, end);
    const slot = (hash ^ (hash >>> 12)) & 4095;
    const known = this.#slots[slot];
    if (known !== undefined && known.length === length && text.startsWith(known, start)) return known;
    const made = text.slice(start, end);
    this.#slots[slot] = made;
    return made;
  }
}
