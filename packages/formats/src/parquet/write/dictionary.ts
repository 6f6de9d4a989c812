import { ByteSink } from '../bytes.ts';

/** The distinct strings of a column in a row group, in order of first occurrence. */
export class TextDictionary {
  /** Total length of the strings, in UTF-16 code units. */
  textLength = 0;
  readonly #codes = new Map<string, number>();

  get size(): number {
    return this.#codes.size;
  }

  /** Returns the code of `text`, and adds the text if it is new. */
  getCode(text: string): number {
    const existingCode = this.#codes.get(text);
    if (existingCode !== undefined) return existingCode;
    const code = this.#codes.size;
    this.#codes.set(text, code);
    this.textLength += text.length;
    return code;
  }

  /** Returns the strings as UTF-8, by code. Lone surrogates become U+FFFD. */
  encodeAll(): Buffer[] {
    return Array.from(this.#codes.keys(), text => Buffer.from(text, 'utf8'));
  }

  clear(): void {
    this.#codes.clear();
    this.textLength = 0;
  }
}

/** Encodes byte arrays as PLAIN: each is preceded by its length in four bytes. */
export function encodePlainTexts(texts: readonly Uint8Array[]): Uint8Array {
  const sink = new ByteSink(texts.reduce((sum, text) => sum + 4 + text.length, 0));
  for (const text of texts) {
    sink.writeLittleEndian(text.length, 4);
    sink.append(text);
  }
  return sink.view();
}

/**
 * The distinct 64-bit values (int64 or float64) of a column in a row group, in order of first occurrence.
 *
 * Values are stored and compared as two 32-bit words, so that 19-digit integers stay exact without BigInt, and 0 and -0
 * remain distinct.
 */
export class WordDictionary {
  size = 0;
  #words: Int32Array = new Int32Array(2048);
  /** Hash table with open addressing: code + 1 of the value, or 0 for an empty slot. */
  #slots: Int32Array = new Int32Array(4096);

  /** Returns the code of the value with these low and high words, and adds the value if it is new. */
  getCode(low: number, high: number): number {
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - 1;
    let slot = hashWords(low, high) & mask;
    for (;;) {
      const entry = slots[slot]!;
      if (entry === 0) return this.#add(low, high, slot);
      const at = (entry - 1) * 2;
      if (words[at] === low && words[at + 1] === high) return entry - 1;
      slot = (slot + 1) & mask;
    }
  }

  /** Returns a view of the values as low and high words, by code. */
  getWords(): Int32Array {
    return this.#words.subarray(0, this.size * 2);
  }

  clear(): void {
    this.size = 0;
    this.#slots.fill(0);
  }

  #add(low: number, high: number, slot: number): number {
    const code = this.size++;
    if (code * 2 === this.#words.length) this.#words = doubleCapacity(this.#words);
    this.#words[code * 2] = low;
    this.#words[code * 2 + 1] = high;
    this.#slots[slot] = code + 1;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let code = 0; code < this.size; code++) {
      let slot = hashWords(this.#words[code * 2]!, this.#words[code * 2 + 1]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code + 1;
    }
    this.#slots = slots;
  }
}

function doubleCapacity(words: Int32Array): Int32Array {
  const grown = new Int32Array(words.length * 2);
  grown.set(words);
  return grown;
}

/** Hashes both words, because small integers stored as doubles differ in only a few high bits. */
function hashWords(low: number, high: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
