/** Maximum number of characters stored for counting tokens, so that an endless stream cannot exhaust memory. */
const MAX_CHARACTERS = 1 << 24;
/** Maximum number of pieces whose times and kinds are stored; each takes 9 bytes. */
const MAX_PIECES = 1 << 20;

/** Kind of an output piece. */
export const PIECE_OUTPUT = 0;
/** Kind of a reasoning piece. */
export const PIECE_REASONING = 1;
/** Kind of an output piece from the same chunk as the reasoning piece before it. */
export const PIECE_OUTPUT_SAME_CHUNK = 2;

/**
 * The content of one response as a list of pieces. A piece is the output or the reasoning of one chunk; its
 * arrival time, kind and text are stored.
 */
export class ResponseContent {
  /** Number of pieces received, including pieces that were not stored. */
  pieces = 0;
  firstNs: number | undefined;
  lastNs: number | undefined;
  firstOutputNs: number | undefined;
  /** Texts of the stored pieces, in order. */
  readonly texts: string[] = [];
  #times = new Float64Array(16);
  #kinds = new Uint8Array(16);
  #characters = 0;
  #outputPieces = 0;

  /** Adds a piece. Above the limits, the time, kind and text of the piece are not stored. */
  push(atNs: number, kind: number, text: string): void {
    this.firstNs ??= atNs;
    this.lastNs = atNs;
    if (kind !== PIECE_REASONING) {
      this.firstOutputNs ??= atNs;
      this.#outputPieces += 1;
    }
    const index = this.pieces++;
    if (index >= MAX_PIECES || this.#characters + text.length > MAX_CHARACTERS) return;
    this.#characters += text.length;
    if (index === this.#times.length) this.#grow();
    this.#times[index] = atNs;
    this.#kinds[index] = kind;
    this.texts.push(text);
  }

  /** Arrival times of the stored pieces, in ns since the run's origin. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.texts.length);
  }

  /** Kinds of the stored pieces. */
  get kinds(): Uint8Array {
    return this.#kinds.subarray(0, this.texts.length);
  }

  get hasReasoning(): boolean {
    return this.#outputPieces < this.pieces;
  }

  /** Returns all output, or all reasoning, as one string. */
  join(kind: typeof PIECE_OUTPUT | typeof PIECE_REASONING): string {
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
