import { BadLineLog, LineError } from './badLines.ts';
import { type Body, forEachLine, sliceAscii, sliceText, toBody } from './body.ts';
import { readClassicLine, splitComment } from './classicLine.ts';
import type { DeclaredType, Exposition, ParseOptions, Sample, SampleFamily } from './exposition.ts';
import { FastSampleLine } from './fastSampleLine.ts';
import { unquote } from './labels.ts';
import { findMetricNameEnd, isMetricName, unescapeHelp } from './names.ts';
import { readNumber } from './number.ts';
import { strip } from './whitespace.ts';

const HASH = 35;
const SPACE = 32;
const MINUS = 45;

const HELP = Uint8Array.from('# HELP ', character => character.charCodeAt(0));
const TYPE = Uint8Array.from('# TYPE ', character => character.charCodeAt(0));

/**
 * The suffixes of the sample names of a family, by type. `_created` is not among them: `_created` samples
 * form separate families.
 */
const SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map<DeclaredType, readonly string[]>([
  ['counter', ['']],
  ['gauge', ['']],
  ['unknown', ['']],
  ['summary', ['_count', '_sum', '']],
  ['histogram', ['_count', '_sum', '_bucket']],
  ['info', ['']],
  ['stateset', ['']],
  ['gaugehistogram', ['']],
]);

const NO_SUFFIX: readonly string[] = [''];

/**
 * Parses the Prometheus text format 0.0.4. For results that are consistent with other tools, the validity of
 * lines, the names of counters and the grouping of lines into families follow prometheus_client.
 *
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats/. In strict mode, the first invalid
 * line throws `ExpositionError`; otherwise invalid lines are skipped and reported.
 */
export function parseClassic(bytes: Uint8Array, options: ParseOptions = {}): Exposition {
  const parser = new ClassicParser(toBody(bytes), options.strict ?? true);
  forEachLine(parser.body.text, (start, end, line) => parser.readLine(start, end, line));
  return parser.finish();
}

/** A family that is being parsed. */
interface ClassicFamily {
  name: string;
  type: DeclaredType;
  help: string;
  samples: Sample[];
  /** The suffixes that sample names of the family may have. */
  suffixes: readonly string[];
  /** The name of the last sample. A cache: the next sample usually has the same name. */
  lastSampleName: string | undefined;
}

class ClassicParser {
  readonly body: Body;
  readonly #fastLine: FastSampleLine;
  readonly #badLines: BadLineLog;
  readonly #families: SampleFamily[] = [];
  #current: ClassicFamily | undefined;

  constructor(body: Body, strict: boolean) {
    this.body = body;
    this.#fastLine = new FastSampleLine(body, true);
    this.#badLines = new BadLineLog(body, strict);
  }

  readLine(start: number, end: number, line: number): void {
    try {
      const isFast =
        this.body.bytes[start] === HASH
          ? this.#readFastComment(start, end)
          : this.#readFastSample(start, end);
      if (!isFast) this.#readGeneralLine(strip(sliceText(this.body, start, end)), end);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#badLines.add(line, start, end, error.message);
    }
  }

  finish(): Exposition {
    this.#close();
    return { families: this.#families, badLines: this.#badLines.listed, badLineCount: this.#badLines.count };
  }

  /**
   * Reads a sample line in the common form, with an optional timestamp in whole milliseconds. Returns false
   * if the line has another form.
   */
  #readFastSample(start: number, end: number): boolean {
    const fast = this.#fastLine;
    if (!fast.read(start, end)) return false;
    const { name, labels, value, valueStart, valueEnd } = fast;
    if (valueEnd === end) {
      this.#addSample({ name, labels, value, valueStart, lineEnd: end }, fast);
      return true;
    }
    const timestamp = readMilliseconds(this.body.bytes, valueEnd + 1, end);
    if (timestamp === undefined) return false;
    this.#addSample({ name, labels, value, timestamp, valueStart, lineEnd: end }, fast);
    return true;
  }

  /**
   * Reads `# HELP name text` and `# TYPE name type` with single blanks. Returns false if the line has another
   * form.
   */
  #readFastComment(start: number, end: number): boolean {
    const { bytes } = this.body;
    const isHelp = isKeyword(bytes, start, HELP);
    if (!isHelp && !isKeyword(bytes, start, TYPE)) return false;
    const nameEnd = findMetricNameEnd(bytes, start + 7, end);
    if (nameEnd === start + 7 || bytes[nameEnd] !== SPACE || nameEnd + 1 >= end) return false;
    if (!isVisible(bytes[nameEnd + 1]!) || !isVisible(bytes[end - 1]!)) return false;
    const name = this.#readNameAt(start + 7, nameEnd);
    const remaining = sliceText(this.body, nameEnd + 1, end);
    if (isHelp) this.#openFamily(name).help = unescapeHelp(remaining);
    else this.#readType(name, remaining);
    return true;
  }

  /**
   * Returns the name between two offsets. A TYPE line usually has the name of the preceding HELP line, whose
   * string is then reused.
   */
  #readNameAt(start: number, end: number): string {
    const current = this.#current?.name;
    const isSame = current?.length === end - start && this.body.text.startsWith(current, start);
    return isSame ? current : sliceAscii(this.body, start, end);
  }

  /** Reads a line in any form. */
  #readGeneralLine(text: string, end: number): void {
    if (text === '') return;
    if (text.startsWith('#')) this.#readComment(text);
    else this.#addSample(readClassicLine(text, end));
  }

  #readComment(text: string): void {
    const [, keyword, subject, remaining] = splitComment(text); // like prometheus_client, accepts `## TYPE a counter`
    if ((keyword !== 'TYPE' && keyword !== 'HELP') || subject === undefined) return;
    const quotedName = unquote(subject);
    if (quotedName === undefined && !isMetricName(subject))
      throw new LineError(`not a metric name: ${subject}`);
    const name = quotedName ?? subject;
    if (keyword === 'TYPE') this.#readType(name, remaining);
    else this.#openFamily(name).help = remaining === undefined ? '' : unescapeHelp(remaining);
  }

  #readType(name: string, declared: string | undefined): void {
    const type = declared === 'untyped' ? 'unknown' : declared;
    const suffixes = type === undefined ? undefined : SUFFIXES.get(type);
    if (!suffixes) {
      throw new LineError(
        `type must be one of ${[...SUFFIXES.keys()].join(', ')} or untyped, got ${declared}`,
      );
    }
    if (type === 'counter' && name === '_total') throw new LineError('a counter needs a name before _total');
    const family = this.#openFamily(name);
    family.type = type as DeclaredType;
    family.lastSampleName = undefined;
    family.suffixes = suffixes;
  }

  /**
   * Returns the family of a HELP or TYPE line: the current family if the name matches, otherwise a new one.
   */
  #openFamily(name: string): ClassicFamily {
    if (this.#current?.name !== name) {
      this.#close();
      this.#current = {
        name,
        type: 'unknown',
        help: '',
        samples: [],
        suffixes: NO_SUFFIX,
        lastSampleName: undefined,
      };
    }
    return this.#current!;
  }

  /** Adds a sample. `fast` is the reader of its line if the line has the common form. */
  #addSample(sample: Sample, fast?: FastSampleLine): void {
    const family = this.#current;
    if (family && (family.lastSampleName === sample.name || isMember(sample.name, family))) {
      family.lastSampleName = sample.name;
      family.samples.push(sample);
      return;
    }
    this.#close();
    this.#families.push({
      name: fast ? fast.ownName : sample.name,
      type: 'unknown',
      help: '',
      samples: [sample],
    });
  }

  /** Finishes the current family. */
  #close(): void {
    const family = this.#current;
    this.#current = undefined;
    if (family && family.name !== '') this.#families.push(toFamily(family));
  }
}

function isMember(sample: string, { name, suffixes }: ClassicFamily): boolean {
  return sample.startsWith(name) && suffixes.includes(sample.slice(name.length));
}

/**
 * Builds a finished family. The name of a counter family never ends in `_total`, and the names of its samples
 * always do, regardless of how the server wrote them.
 */
function toFamily({ name, type, help, samples }: ClassicFamily): SampleFamily {
  if (type !== 'counter') return { name, type, help, samples };
  if (name.endsWith('_total')) return { name: name.slice(0, -6), type, help, samples };
  return { name, type, help, samples: samples.map(sample => ({ ...sample, name: `${sample.name}_total` })) };
}

/** Reports whether a line begins with a keyword such as `# HELP `. */
function isKeyword(bytes: Uint8Array, start: number, keyword: Uint8Array): boolean {
  for (let i = 0; i < keyword.length; i++) if (bytes[start + i] !== keyword[i]) return false;
  return true;
}

/**
 * Reports whether a character is visible ASCII. A text that starts and ends with such characters needs no
 * stripping.
 */
function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

/** Parses a timestamp in whole milliseconds. Returns seconds; undefined if the text has another form. */
export function readMilliseconds(bytes: Uint8Array, start: number, end: number): number | undefined {
  const firstDigit = bytes[start] === MINUS ? start + 1 : start;
  for (let at = firstDigit; at < end; at++) {
    if (bytes[at]! < 48 || bytes[at]! > 57) return undefined;
  }
  const value = end > firstDigit ? readNumber(bytes, start, end) : undefined;
  return value === undefined ? undefined : value / 1000;
}
