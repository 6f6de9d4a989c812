/** Most characters of an answer that are kept for counting; a stream that never ends must not fill the memory. */
const MOST_CHARACTERS = 1 << 24;
/** Most pieces of an answer whose times are kept, 9 bytes each. */
const MOST_PIECES = 1 << 20;

/** What a piece of an answer is. */
export const PIECE_OUTPUT = 0;
export const PIECE_REASONING = 1;
/** Output that came in one chunk with the reasoning in front of it. */
export const PIECE_OUTPUT_TOO = 2;

/**
 * The pieces of one answer that carry content: when each arrived and what it is, in typed arrays, and its text.
 */
export class AnswerText {
  /** Pieces that came, also those beyond what is kept. */
  pieces = 0;
  firstNs: number | undefined;
  lastNs: number | undefined;
  firstOutputNs: number | undefined;
  /** Texts of the pieces in order; `kinds` tells which are reasoning. */
  readonly texts: string[] = [];
  #times = new Float64Array(16);
  #kinds = new Uint8Array(16);
  #characters = 0;
  #outputs = 0;

  /** Takes a piece that carries content. */
  push(atNs: number, kind: number, text: string): void {
    this.firstNs ??= atNs;
    this.lastNs = atNs;
    if (kind !== PIECE_REASONING) {
      this.firstOutputNs ??= atNs;
      this.#outputs += 1;
    }
    const index = this.pieces++;
    if (index >= MOST_PIECES || this.#characters + text.length > MOST_CHARACTERS) return;
    this.#characters += text.length;
    if (index === this.#times.length) this.#grow();
    this.#times[index] = atNs;
    this.#kinds[index] = kind;
    this.texts.push(text);
  }

  /** Arrival of each kept piece, ns of the run. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.texts.length);
  }

  get kinds(): Uint8Array {
    return this.#kinds.subarray(0, this.texts.length);
  }

  get hasReasoning(): boolean {
    return this.#outputs < this.pieces;
  }

  /** All output, or all reasoning, in one text. */
  joined(kind: typeof PIECE_OUTPUT | typeof PIECE_REASONING): string {
    const isReasoning = kind === PIECE_REASONING;
    if (!this.hasReasoning) return isReasoning ? '' : this.texts.join('');
    return this.texts.filter((_, index) => (this.#kinds[index] === PIECE_REASONING) === isReasoning).join('');
  }

  #grow(): void {
    const times = new Float64Array(2 * this.#times.length);
    times.set(this.#times);
    this.#times = times;
    const kinds = new Uint8Array(times.length);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
  }
}
