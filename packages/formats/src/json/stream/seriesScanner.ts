const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Nesting depths inside of the containers on the path `metrics` / name of a metric / `series`. */
const DEPTH = { document: 1, metrics: 2, family: 3, series: 4 } as const;

/** The longest key that is compared, in characters: `metrics`. */
const MAX_KEY_LENGTH = 7;

/** The start of a list of timeslices, after the opening quote of its key. */
const SLICES_START = /(?:reset_)?timeslices"\s*:\s*\[/y;

/** Receives the parts of a document. */
export interface PartHandlers {
  /** Called with the text outside of series, in order. */
  readonly onText: (text: string) => void;
  /** Called with the text of a series: an object in the `series` array of a metric. */
  readonly onSeries: (text: string) => void;
  /**
   * Reports whether the timeslices of a metric are skipped: their lists are empty in the texts of series. A list is skipped up
   * to its first `]`. It is not skipped if a chunk ends in its key.
   */
  readonly skipsSlices?: (metric: string) => boolean;
}

/**
 * Splits the text of a server metrics document, which arrives in chunks, into the texts of its series and the text
 * between them. Only counts brackets outside of strings: both parts are parsed and checked by a JSON parser. If keys
 * are escaped or the document has another structure, all text is passed to `onText`.
 */
export class SeriesScanner {
  readonly #handlers: PartHandlers;
  #depth = 0;
  /** The number of containers on the path to series that are open. */
  #matched = 0;
  #isInString = false;
  #isEscaped = false;
  /** The start of the last string outside of series. */
  #string = '';
  /** The last key of an object on the path to series. */
  #key = '';
  /** The chunks of the series that is being read. */
  #seriesParts: string[] = [];
  #isInSeries = false;
  /** True if the timeslices of the metric that is being read are skipped. */
  #skipsSlices = false;
  /** True in a list of timeslices that is skipped. */
  #isInSkipped = false;

  constructor(handlers: PartHandlers) {
    this.#handlers = handlers;
  }

  /** Scans the next chunk. */
  push(text: string): void {
    let at = 0;
    while (at < text.length) at = this.#isInSeries ? this.#scanSeries(text, at) : this.#scanText(text, at);
  }

  /** Passes on a series that the end of the text truncated. */
  end(): void {
    if (this.#isInSeries) this.#handlers.onSeries(this.#seriesParts.join(''));
  }

  /** Scans a series to its end, or to the end of the chunk. Returns the offset of the text after it. */
  #scanSeries(text: string, from: number): number {
    if (this.#isInSkipped) return this.#skipSlices(text, from);
    let at = this.#isInString ? this.#skipString(text, from) : from;
    let depth = this.#depth;
    while (at < text.length) {
      const code = text.charCodeAt(at++);
      // Most characters are digits and punctuation, whose codes are below those of brackets.
      if (code < OPEN_BRACKET) {
        if (code !== QUOTE) continue;
        if (this.#skipsSlices && depth === DEPTH.series + 1 && isSlicesStart(text, at)) {
          this.#depth = depth + 1;
          this.#isInSkipped = true;
          this.#seriesParts.push(text.slice(from, SLICES_START.lastIndex));
          return SLICES_START.lastIndex;
        }
        at = this.#skipString(text, at);
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === DEPTH.series) {
        this.#depth = depth;
        this.#seriesParts.push(text.slice(from, at));
        this.#isInSeries = false;
        this.#handlers.onSeries(this.#seriesParts.join(''));
        this.#seriesParts = [];
        return at;
      }
    }
    this.#depth = depth;
    this.#seriesParts.push(text.slice(from));
    return at;
  }

  /** Skips a list of timeslices to its end, or to the end of the chunk. Returns the offset of its closing bracket. */
  #skipSlices(text: string, from: number): number {
    const end = text.indexOf(']', from);
    if (end === -1) return text.length;
    this.#isInSkipped = false;
    return end;
  }

  /** Scans text outside of series to the start of the next series, or to the end of the chunk. */
  #scanText(text: string, from: number): number {
    let at = this.#isInString ? this.#skipKey(text, from) : from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#string = '';
        at = this.#skipKey(text, at + 1) - 1;
      } else if (code === COLON) this.#key = this.#string;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        this.#isInSeries =
          code === OPEN_BRACE && this.#matched === DEPTH.series && this.#depth === DEPTH.series;
        if (this.#isInSeries) break;
        this.#open(code);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.#depth--;
        this.#matched = Math.min(this.#matched, Math.max(0, this.#depth));
      }
    }
    this.#handlers.onText(text.slice(from, at));
    return at;
  }

  #open(code: number): void {
    if (this.#matched === DEPTH.metrics && this.#depth === DEPTH.metrics)
      this.#skipsSlices = this.#handlers.skipsSlices?.(this.#key) ?? false;
    if (this.#matched === this.#depth && this.#isNextOnPath(code)) this.#matched++;
    this.#depth++;
  }

  /** Reports whether a container that opens is the next one on the path to series. */
  #isNextOnPath(code: number): boolean {
    if (this.#depth === DEPTH.document) return code === OPEN_BRACE && this.#key === 'metrics';
    if (this.#depth === DEPTH.family) return code === OPEN_BRACKET && this.#key === 'series';
    return code === OPEN_BRACE && this.#depth < DEPTH.family;
  }

  /** The number of characters of a key that matter: all of the name of a metric if timeslices can be skipped. */
  get #maxKeyLength(): number {
    return this.#handlers.skipsSlices && this.#depth === DEPTH.metrics ? Infinity : MAX_KEY_LENGTH;
  }

  /** Skips a string outside of series and keeps its start. */
  #skipKey(text: string, from: number): number {
    const end = this.#skipString(text, from);
    const missing = this.#maxKeyLength + 1 - this.#string.length;
    this.#string += text.slice(from, Math.min(this.#isInString ? end : end - 1, from + missing));
    return end;
  }

  /** Skips the rest of a string. Returns the offset after its closing quote, or the end of the chunk. */
  #skipString(text: string, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) {
        this.#isInString = false;
        this.#isEscaped = false;
        return at + 1;
      }
    }
    this.#isInString = true;
    // The escaped character is the first one of the next chunk.
    this.#isEscaped = at > text.length;
    return text.length;
  }
}

/** Reports whether a list of timeslices starts after the quote before an offset. Sets the last index of `SLICES_START`. */
function isSlicesStart(text: string, at: number): boolean {
  SLICES_START.lastIndex = at;
  return SLICES_START.test(text);
}
