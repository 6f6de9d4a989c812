import { MAX_LINE_BYTES, readChunks } from './fileLines.ts';
import { InputError } from './inputError.ts';

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(
  '"\\[]{}',
) as unknown as [number, number, number, number, number, number];

/** An object of a list in a JSON file, as text, and its first line. */
export interface JsonElement {
  readonly text: string;
  readonly line: number;
}

/**
 * Reads the objects of the list in a JSON file one by one, so that the file may be larger than the memory. The list
 * is the whole document, or a field of the object that is the document. Rejects with an `InputError` if the brackets
 * of the file do not match.
 */
export async function* readJsonElements(path: string): AsyncGenerator<JsonElement> {
  const scanner = new ElementScanner();
  for await (const chunk of readChunks(path)) {
    yield* scanner.scan(chunk);
    if (scanner.pendingBytes > MAX_LINE_BYTES)
      throw new InputError(`${path} has an object of more than 128 MiB`);
  }
  if (scanner.isOpen)
    throw new InputError(`${path}:${scanner.line}: invalid JSON: the file ends within a list or an object`);
}

/** Finds the objects of a list in chunks of a JSON file. */
class ElementScanner {
  /** Open brackets, without those inside of an element. */
  #outer = '';
  /** Number of open brackets of the current element. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #parts: Buffer[] = [];
  /** Number of bytes of the current element in earlier chunks. */
  pendingBytes = 0;
  /** Number of the current line, from 1. */
  line = 1;
  #firstLine = 1;

  /** True if a list or an object has not ended. */
  get isOpen(): boolean {
    return this.#outer !== '' || this.#depth > 0;
  }

  /** Returns the elements that end in the chunk. */
  scan(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!;
      if (byte === 10) this.line += 1;
      if (this.#isInString) {
        this.#readStringByte(byte);
        continue;
      }
      if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#open(byte)) from = index;
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && this.#close())
        elements.push(this.#finish(chunk.subarray(from, index + 1)));
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(from));
    return elements;
  }

  #readStringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  /** Opens a bracket. Returns true if it starts an element. */
  #open(byte: number): boolean {
    if (this.#depth > 0) {
      this.#depth += 1;
      return false;
    }
    if (byte === OPEN_OBJECT && this.#outer.endsWith('[')) {
      this.#depth = 1;
      this.#firstLine = this.line;
      return true;
    }
    this.#outer += byte === OPEN_OBJECT ? '{' : '[';
    return false;
  }

  /** Closes a bracket. Returns true if it ends an element. */
  #close(): boolean {
    if (this.#depth === 0) {
      this.#outer = this.#outer.slice(0, -1);
      return false;
    }
    this.#depth -= 1;
    return this.#depth === 0;
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.pendingBytes += part.length;
  }

  #finish(end: Buffer): JsonElement {
    const text = Buffer.concat([...this.#parts, end]).toString();
    this.#parts = [];
    this.pendingBytes = 0;
    return { text, line: this.#firstLine };
  }
}
