import { type Field, type Fields, Template } from './template.ts';

/** A token of an object: a key with its colon, a number, a word, a punctuation mark, or white space. */
const TOKEN =
  /(?<key>"[^"\\\p{Cc}]*"[ \t\r\n]*:)|(?<number>-?\d[\d.eE+-]*)|(?<word>true|false|null)|(?<mark>[{},])|[ \t\r\n]+/uy;

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/**
 * Creates a template from the object at an offset. Returns undefined for an object with other values than numbers, `true`,
 * `false`, `null` and objects of such values, and for invalid text.
 *
 * @param capacity expected number of objects with this template
 */
export function readTemplate(text: string, start: number, capacity: number): Template | undefined {
  return new TemplateReader(text, start).read(capacity);
}

/** Reads the tokens of one object. */
class TemplateReader {
  readonly #text: string;
  readonly #literals: string[] = [];
  readonly #isTime: boolean[] = [];
  #at: number;
  /** The start of the text since the last number. */
  #literalStart: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
    this.#literalStart = start;
  }

  read(capacity: number): Template | undefined {
    const fields = this.#readFields();
    if (!fields) return undefined;
    this.#literals.push(this.#text.slice(this.#literalStart, this.#at));
    return new Template(fields, this.#literals, this.#isTime, capacity);
  }

  /** Reads an object, from its opening to its closing brace. */
  #readFields(): Fields | undefined {
    const fields: Fields = new Map();
    if (this.#next()?.mark !== '{') return undefined;
    for (let token = this.#next(); token?.mark !== '}' || fields.size > 0; token = this.#next()) {
      if (token?.key === undefined) return undefined;
      const key = token.key.slice(1, token.key.lastIndexOf('"'));
      const field = key === '__proto__' || fields.has(key) ? undefined : this.#readField(key);
      if (field === undefined) return undefined;
      fields.set(key, field);
      const mark = this.#next()?.mark;
      if (mark === '}') break;
      if (mark !== ',') return undefined;
    }
    return fields;
  }

  #readField(key: string): Field | undefined {
    const start = this.#at;
    const token = this.#next();
    if (token?.word !== undefined) return { constant: WORDS[token.word] };
    if (token?.number !== undefined) return this.#addNumber(key, this.#at - token.number.length);
    if (token?.mark !== '{') return undefined;
    this.#at = start;
    return this.#readFields();
  }

  #addNumber(key: string, start: number): number {
    this.#literals.push(this.#text.slice(this.#literalStart, start));
    this.#literalStart = this.#at;
    return this.#isTime.push(key.endsWith('_ns')) - 1;
  }

  /** Returns the next token that is not white space; undefined for other text. */
  #next(): Readonly<Record<string, string | undefined>> | undefined {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (!match) return undefined;
    this.#at = TOKEN.lastIndex;
    return /^[ \t\r\n]/.test(match[0]) ? this.#next() : match.groups;
  }
}
