import { BadLineLog, LineError } from './badLines.ts';
import { type Body, forEachLine, sliceAscii, sliceText, toBody } from './body.ts';
import type { DeclaredType, Exposition, ParseOptions, Sample, SampleFamily } from './exposition.ts';
import { FastSampleLine } from './fastSampleLine.ts';
import { indexOutsideQuotes, readTerms, unquote } from './labels.ts';
import { endOfMetricName, isMetricName, unescapeHelp } from './names.ts';
import { parseNumber, readNumber } from './number.ts';
import { isBlank, strip, stripStart } from './whitespace.ts';

const HASH = 35;
const SPACE = 32;
const QUOTE = 34;
const MINUS = 45;
const BACKSLASH = 92;

const HELP = Uint8Array.from('# HELP ', character => character.charCodeAt(0));
const TYPE = Uint8Array.from('# TYPE ', character => character.charCodeAt(0));

/** The suffixes that a family's samples may carry, by type. `_created` belongs to none: it is a family of its own. */
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

const NAME_ALONE: readonly string[] = [''];

/**
 * Reads a body in Prometheus' text format 0.0.4, as prometheus_client does, which decides what our users' other tools see:
 * what it accepts and rejects, how it names counters, and which lines form a family.
 *
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats/. Throws `ExpositionError` at the first bad line in
 * strict mode; otherwise bad lines are left out and reported.
 */
export function parseClassic(bytes: Uint8Array, options: ParseOptions = {}): Exposition {
  const parse = new ClassicParse(toBody(bytes), options.strict ?? true);
  forEachLine(parse.body.text, (start, end, line) => parse.line(start, end, line));
  return parse.finish();
}

interface ClassicFamily {
  name: string;
  type: DeclaredType;
  help: string;
  samples: Sample[];
  /** What its samples have behind its name. */
  suffixes: readonly string[];
  /** The name of the lastSampleName sample, which the next one most often has as well. */
  lastSampleName: string | undefined;
}

class ClassicParse {
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

  line(start: number, end: number, line: number): void {
    try {
      const fast =
        this.body.bytes[start] === HASH
          ? this.#readFastComment(start, end)
          : this.#readFastSample(start, end);
      if (!fast) this.#readGeneralLine(strip(sliceText(this.body, start, end)), end);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#badLines.add(line, start, end, error.message);
    }
  }

  finish(): Exposition {
    this.#close();
    return { families: this.#families, badLines: this.#badLines.listed, badLineCount: this.#badLines.count };
  }

  /** Takes a line of the fast form, with perhaps a timestamp in whole ms; false when it is of another form. */
  #readFastSample(start: number, end: number): boolean {
    const fast = this.#fastLine;
    if (!fast.read(start, end)) return false;
    const { name, labels, value, valueStart, valueEnd } = fast;
    if (valueEnd === end) {
      this.#sample({ name, labels, value, valueStart, lineEnd: end }, fast);
      return true;
    }
    const timestamp = readMilliseconds(this.body.bytes, valueEnd + 1, end);
    if (timestamp === undefined) return false;
    this.#sample({ name, labels, value, timestamp, valueStart, lineEnd: end }, fast);
    return true;
  }

  /** Takes `# HELP name text` and `# TYPE name type` with single blanks; false when the line is of another form. */
  #readFastComment(start: number, end: number): boolean {
    const { bytes } = this.body;
    const help = isKeyword(bytes, start, HELP);
    if (!help && !isKeyword(bytes, start, TYPE)) return false;
    const nameEnd = endOfMetricName(bytes, start + 7, end);
    if (nameEnd === start + 7 || bytes[nameEnd] !== SPACE || nameEnd + 1 >= end) return false;
    if (!isVisible(bytes[nameEnd + 1]!) || !isVisible(bytes[end - 1]!)) return false;
    const name = this.#nameAt(start + 7, nameEnd);
    const rest = sliceText(this.body, nameEnd + 1, end);
    if (help) this.#openFamily(name).help = unescapeHelp(rest);
    else this.#type(name, rest);
    return true;
  }

  /** The name between two places. TYPE most often has that of the HELP before it. */
  #nameAt(start: number, end: number): string {
    const current = this.#current?.name;
    const isSame = current?.length === end - start && this.body.text.startsWith(current, start);
    return isSame ? current : sliceAscii(this.body, start, end);
  }

  #readGeneralLine(text: string, end: number): void {
    if (text === '') return;
    if (text.startsWith('#')) this.#comment(text);
    else this.#sample(readGeneralSample(text, end));
  }

  #comment(text: string): void {
    const [, keyword, subject, rest] = splitComment(text); // prometheus_client takes `## TYPE a counter`, too
    if ((keyword !== 'TYPE' && keyword !== 'HELP') || subject === undefined) return;
    const quoted = unquote(subject);
    if (quoted === undefined && !isMetricName(subject)) throw new LineError(`not a metric name: ${subject}`);
    const name = quoted ?? subject;
    if (keyword === 'TYPE') this.#type(name, rest);
    else this.#openFamily(name).help = rest === undefined ? '' : unescapeHelp(rest);
  }

  #type(name: string, declared: string | undefined): void {
    const type = declared === 'untyped' ? 'unknown' : declared;
    const suffixes = type === undefined ? undefined : SUFFIXES.get(type);
    if (!suffixes) {
      throw new LineError(
        `type must be one of ${[...SUFFIXES.keys()].join(', ')} or untyped, got ${declared}`,
      );
    }
    if (type === 'counter' && name === '_total') throw new LineError('a counter has nothing before _total');
    const family = this.#openFamily(name);
    family.type = type as DeclaredType;
    family.lastSampleName = undefined;
    family.suffixes = suffixes;
  }

  /** The family that HELP or TYPE speaks of: the current one when it has that name, else a new one. */
  #openFamily(name: string): ClassicFamily {
    if (this.#current?.name !== name) {
      this.#close();
      this.#current = {
        name,
        type: 'unknown',
        help: '',
        samples: [],
        suffixes: NAME_ALONE,
        lastSampleName: undefined,
      };
    }
    return this.#current!;
  }

  /** `fast` is where the sample was read from, if it was. */
  #sample(sample: Sample, fast?: FastSampleLine): void {
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

  #close(): void {
    const family = this.#current;
    this.#current = undefined;
    if (family && family.name !== '') this.#families.push(toFamily(family));
  }
}

function isMember(sample: string, { name, suffixes }: ClassicFamily): boolean {
  return sample.startsWith(name) && suffixes.includes(sample.slice(name.length));
}

/** A counter's family goes without `_total` and its samples with it, whichever way the server wrote them. */
function toFamily({ name, type, help, samples }: ClassicFamily): SampleFamily {
  if (type !== 'counter') return { name, type, help, samples };
  if (name.endsWith('_total')) return { name: name.slice(0, -6), type, help, samples };
  return { name, type, help, samples: samples.map(sample => ({ ...sample, name: `${sample.name}_total` })) };
}

/** Whether a line begins with `#`, a blank, a word of four letters and a blank. */
function isKeyword(bytes: Uint8Array, start: number, keyword: Uint8Array): boolean {
  for (let i = 0; i < keyword.length; i++) if (bytes[start + i] !== keyword[i]) return false;
  return true;
}

/** ASCII and no blank: next to it, nothing has to be stripped. */
function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

/** A timestamp in whole milliseconds, in seconds; undefined for any other form. */
export function readMilliseconds(bytes: Uint8Array, start: number, end: number): number | undefined {
  const first = bytes[start] === MINUS ? start + 1 : start;
  for (let at = first; at < end; at++) {
    if (bytes[at]! < 48 || bytes[at]! > 57) return undefined;
  }
  const value = end > first ? readNumber(bytes, start, end) : undefined;
  return value === undefined ? undefined : value / 1000;
}

/** A word that begins with `#`, keyword, name (quoted perhaps) and the rest; blanks between them are folded. */
function splitComment(text: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  let rest = text;
  while (words.length < 3 && rest !== '') {
    const end = findBlank(rest, words.length === 2);
    words.push(rest.slice(0, end));
    rest = stripStart(rest.slice(end));
  }
  if (rest !== '') words.push(rest);
  return words;
}

function findBlank(text: string, allowsQuotes: boolean): number {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (allowsQuotes && code === QUOTE) quoted = !quoted;
    else if (quoted && code === BACKSLASH) at++;
    else if (!quoted && isBlank(code)) return at;
  }
  return text.length;
}

/** A sample line in all the freedom that the format's readers allow. `text` has no blanks around it. */
function readGeneralSample(text: string, lineEnd: number): Sample {
  const brace = indexOutsideQuotes(text, '{');
  if (brace === -1 || text.slice(0, brace).includes(' # ')) {
    const end = indexOutsideQuotes(text, ' \t');
    const name = end === -1 ? '' : strip(text.slice(0, end));
    if (!isMetricName(name)) throw new LineError('expected a metric name, a blank and a value');
    return { name, labels: [], ...readValue(text.slice(end + 1)), valueStart: -1, lineEnd };
  }
  const name = strip(text.slice(0, brace));
  if (name !== '' && !isMetricName(name)) throw new LineError(`not a metric name: ${name}`);
  const close = indexOutsideQuotes(text, '}', brace);
  if (close === -1) throw new LineError('the labels are not closed by }');
  const toFamily = readTerms(name, text.slice(brace + 1, close), false);
  return { ...toFamily, ...readValue(text.slice(close + 1)), valueStart: -1, lineEnd };
}

/**
 * The value, and the lastSampleName of the words behind it as a timestamp in ms. Of an exemplar, which has no place in this format,
 * prometheus_client takes the lastSampleName number for a timestamp, and so do we: the line's value stays readable.
 */
function readValue(text: string): { value: number; timestamp?: number } {
  const words = strip(text);
  const separator = words.includes(' ') ? ' ' : '\t';
  const first = words.indexOf(separator);
  const valueWord = first === -1 ? words : strip(words.slice(0, first));
  const value = parseNumber(valueWord);
  if (value === undefined) throw new LineError(`expected a number, got ${valueWord || 'nothing'}`);
  if (first === -1) return { value };
  const lastWord = strip(words.slice(words.lastIndexOf(separator) + 1));
  const timestamp = parseNumber(lastWord);
  if (timestamp === undefined) throw new LineError(`expected a timestamp in ms, got ${lastWord}`);
  return { value, timestamp: timestamp / 1000 };
}
