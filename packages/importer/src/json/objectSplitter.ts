const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/**
 * Splits a JSON document into the objects at a certain depth, without holding the document in memory. In a response of
 * `query_range`, the series are objects at depth 4: `{"data":{"result":[{...}]}}`.
 */
export class ObjectSplitter {
  readonly #depth: number;
  readonly #onObject: (text: string) => void;
  readonly #parts: Uint8Array[] = [];
  #level = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(depth: number, onObject: (text: string) => void) {
    this.#depth = depth;
    this.#onObject = onObject;
  }

  /** True if the document is complete, or has not started. */
  get isComplete(): boolean {
    return this.#level === 0;
  }

  /** Reads the next bytes of the document. The bytes must not be changed afterwards. */
  push(bytes: Uint8Array): void {
    let start = this.#level >= this.#depth ? 0 : -1;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++this.#level === this.#depth && byte === OPEN_BRACE) start = at;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (this.#level-- === this.#depth && start !== -1) {
          this.#emit(bytes.subarray(start, at + 1));
          start = -1;
        }
      }
    }
    if (start !== -1 && this.#level >= this.#depth) this.#parts.push(bytes.subarray(start));
  }

  #emit(last: Uint8Array): void {
    const text = Buffer.concat([...this.#parts, last]).toString('utf8');
    this.#parts.length = 0;
    this.#onObject(text);
  }
}
