import { decodeChunks } from '../../source/decodeChunks.ts';
import { MAX_TEXT_BYTES, type Source, UnreadableError } from '../../source/source.ts';
import { type ParsedJson, parseJson } from '../parse.ts';
import { StringCache } from '../stringCache.ts';
import { JsonSyntaxError, type Position } from '../syntaxError.ts';
import { ColumnParser } from './columnParser.ts';
import { PackedObjects } from './packedObjects.ts';
import { SeriesScanner } from './seriesScanner.ts';

/** Number of objects and arrays around a series of a server metrics document. */
const SERIES_DEPTH = 4;

/** The text of a series in the text outside of series. It starts like a series, because messages quote the start of a value. */
const PLACEHOLDER = '{}';

/** Fields of a series that are kept in columns. */
const SLICE_FIELDS: ReadonlySet<string> = new Set(['timeslices', 'reset_timeslices']);

/** A document whose timeslices are in columns. */
export interface StreamedJson extends Omit<ParsedJson, 'duplicates'> {
  /**
   * Calls a function while lists of timeslices contain only a few timeslices, which match a schema that restricts the type
   * and the range of fields, and the fields that occur together, if all timeslices do.
   */
  readonly withSamples: <T>(read: () => T) => T;
}

/** Options of `parseSeriesStream`. */
export interface SeriesStreamOptions {
  /**
   * Reports whether the timeslices of a metric are skipped. Their series have no timeslices, and skipped text is not checked.
   */
  readonly skipsSlices?: (metric: string) => boolean;
}

/**
 * Parses the JSON document of a source like `parseJson`, but reads server metrics series by series, so that neither their
 * text nor all of their timeslices are in memory at the same time. Timeslices are kept in columns; the property
 * `timeslices` of a series creates them each time that it is read.
 *
 * @param source a source that can be read twice; it is read again to find the position of a syntax error
 * @throws JsonSyntaxError if the text is not JSON, EncodingError if it is not UTF-8
 */
export async function parseSeriesStream(
  source: Pick<Source, 'name' | 'stream'>,
  options: SeriesStreamOptions = {},
): Promise<StreamedJson> {
  const document = new StreamedDocument(options);
  try {
    for await (const text of decodeChunks(source.stream())) document.push(text);
    return document.end();
  } catch (error) {
    if (error instanceof RangeError) throw createLengthError(source.name);
    if (!(error instanceof JsonSyntaxError)) throw error;
    // A list of timeslices may contain another list, or the text may be invalid before it.
    if (options.skipsSlices) return await parseSeriesStream(source);
    const position = await locate(source, error.offset);
    throw new JsonSyntaxError(error.problem, '', error.offset, position);
  }
}

/** The document without its series, and the series. */
class StreamedDocument {
  readonly #scanner: SeriesScanner;
  readonly #columns = new ColumnParser();
  /** True if timeslices are replaced by samples. */
  #isSampled = false;
  readonly #strings = new StringCache(true);
  /** The text outside of series, with an empty object for each series. */
  readonly #text: string[] = [];
  #textLength = 0;
  readonly #series: unknown[] = [];
  /** For each series: its offset in the text outside of series, and the characters that are missing there after it. */
  readonly #cuts: { readonly offset: number; readonly missing: number }[] = [];
  #missing = 0;
  #wide = false;

  constructor(options: SeriesStreamOptions) {
    this.#scanner = new SeriesScanner({
      onText: text => this.#addText(text),
      onSeries: text => this.#addSeries(text),
      ...options,
    });
  }

  push(text: string): void {
    this.#scanner.push(text);
  }

  end(): StreamedJson {
    this.#scanner.end();
    const { value, wide } = this.#parseText(this.#joinText());
    return { value, wide: wide || this.#wide, withSamples: read => this.#withSamples(read) };
  }

  #addText(text: string): void {
    this.#text.push(text);
    this.#textLength += text.length;
  }

  #addSeries(text: string): void {
    const start = this.#textLength + this.#missing;
    try {
      const { value, wide } = parseJson(text, {
        strings: this.#strings,
        outerDepth: SERIES_DEPTH,
        parseArray: (key, chunk, at) => (SLICE_FIELDS.has(key) ? this.#columns.parse(chunk, at) : undefined),
      });
      this.#wide ||= wide;
      this.#defineSlices(value as Record<string, unknown>);
      this.#series.push(value);
    } catch (error) {
      if (error instanceof JsonSyntaxError) this.#failInSeries(error, start);
      throw error;
    }
    this.#missing += text.length - PLACEHOLDER.length;
    this.#cuts.push({ offset: this.#textLength, missing: this.#missing });
    this.#addText(PLACEHOLDER);
  }

  /** Reports the first syntax error: in the text before a series, or in the series. */
  #failInSeries({ problem, offset }: JsonSyntaxError, start: number): never {
    const before = this.#joinText();
    try {
      this.#parseText(before);
    } catch (error) {
      if (error instanceof JsonSyntaxError && error.offset < start) throw error;
    }
    throw new JsonSyntaxError(problem, '', start + offset);
  }

  /** Replaces columns by properties that create the timeslices when they are read. */
  #defineSlices(series: Record<string, unknown>): void {
    for (const field of SLICE_FIELDS) {
      const packed = Object.hasOwn(series, field) ? series[field] : undefined;
      if (!(packed instanceof PackedObjects)) continue;
      const get = (): unknown => (this.#isSampled ? packed.sample() : packed.unpack());
      Object.defineProperty(series, field, { get, enumerable: true, configurable: true });
    }
  }

  #withSamples<T>(read: () => T): T {
    this.#isSampled = true;
    try {
      return read();
    } finally {
      this.#isSampled = false;
    }
  }

  /** Returns the text outside of series. Copies it, because a slice of a chunk keeps the chunk in memory. */
  #joinText(): string {
    const text = this.#text.join('');
    this.#text.length = 0;
    this.#text.push(text);
    return text;
  }

  /** Parses the text outside of series, and puts the series in their places. */
  #parseText(text: string): ParsedJson {
    const cuts = this.#cuts;
    const places: (readonly [container: object, key: string | number])[] = [];
    const onMember = (container: object, key: string | number, offset: number): void => {
      if (cuts[places.length]?.offset === offset) places.push([container, key]);
    };
    try {
      const parsed = parseJson(text, { onMember });
      for (const [index, [container, key]] of places.entries())
        (container as Record<string | number, unknown>)[key] = this.#series[index];
      return parsed;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw new JsonSyntaxError(error.problem, '', this.#toDocumentOffset(error.offset));
    }
  }

  /** Converts an offset in the text outside of series to an offset in the document. */
  #toDocumentOffset(offset: number): number {
    const next = this.#cuts.findIndex(cut => cut.offset >= offset);
    const last = this.#cuts.at(next === -1 ? -1 : next - 1);
    return offset + (next === 0 ? 0 : (last?.missing ?? 0));
  }
}

/** Finds the line and column of an offset. Reads the whole text, so that text that is not UTF-8 is an error. */
async function locate({ stream }: Pick<Source, 'stream'>, offset: number): Promise<Position> {
  let line = 1;
  let lineStart = 0;
  let start = 0;
  for await (const text of decodeChunks(stream())) {
    for (let at = text.indexOf('\n'); at !== -1 && start + at < offset; at = text.indexOf('\n', at + 1)) {
      line++;
      lineStart = start + at + 1;
    }
    start += text.length;
  }
  return { line, column: offset - lineStart + 1 };
}

function createLengthError(name: string | undefined): UnreadableError {
  return new UnreadableError(
    `cannot read ${name ?? 'the text'}: one series, or the text outside of series, is larger than the ${MAX_TEXT_BYTES} bytes that a string can hold`,
  );
}
