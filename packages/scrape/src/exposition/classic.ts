import { type Body, bodyOf, decode, forEachLine } from './body.ts';
import {
  type BadLine,
  type DeclaredType,
  type Exposition,
  ExpositionError,
  type ParseOptions,
  type Sample,
  type SampleFamily,
} from './exposition.ts';
import { isMetricName, unescapeHelp } from './names.ts';
import { numberOf } from './number.ts';
import { readUsualLine, type SampleLine } from './sampleline.ts';
import { indexOutsideQuotes, readTerms, unquote } from './terms.ts';
import { isBlank, strip, stripEnd, stripStart } from './whitespace.ts';

const MOST_BAD_LINES = 20;
const HASH = 35;

/** The suffixes that a family's samples may carry, by type. `_created` belongs to none: it is a family of its own. */
const SUFFIXES: Readonly<Record<DeclaredType, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  unknown: [''],
  summary: ['_count', '_sum', ''],
  histogram: ['_count', '_sum', '_bucket'],
  info: [''],
  stateset: [''],
  gaugehistogram: [''],
};

/**
 * Reads a body in Prometheus' text format 0.0.4, as prometheus_client does, which decides what our users' other tools see:
 * what it accepts and rejects, how it names counters, and which lines form a family.
 *
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats/. Throws `ExpositionError` at the first bad line in
 * strict mode; otherwise bad lines are left out and reported.
 */
export function parseClassic(bytes: Uint8Array, options: ParseOptions = {}): Exposition {
  const reading = new ClassicReading(bodyOf(bytes), options.strict ?? true);
  forEachLine(reading.body.text, (start, end, line) => reading.line(start, end, line));
  return reading.finish();
}

interface OpenFamily {
  name: string;
  type: DeclaredType;
  help: string;
  samples: Sample[];
  members: readonly string[];
}

class ClassicReading {
  readonly body: Body;
  readonly #strict: boolean;
  readonly #families: SampleFamily[] = [];
  readonly #badLines: BadLine[] = [];
  #badLineCount = 0;
  #open: OpenFamily | undefined;

  constructor(body: Body, strict: boolean) {
    this.body = body;
    this.#strict = strict;
  }

  line(start: number, end: number, line: number): void {
    try {
      if (this.body.text.charCodeAt(start) !== HASH) {
        const usual = readUsualLine(this.body, start, end);
        if (usual) {
          this.#sample(usual, end);
          return;
        }
      }
      this.#unusualLine(strip(decode(this.body, this.body.text.slice(start, end))), end);
    } catch (error) {
      this.#bad(line, decode(this.body, this.body.text.slice(start, end)), (error as Error).message);
    }
  }

  finish(): Exposition {
    this.#close();
    return { families: this.#families, badLines: this.#badLines, badLineCount: this.#badLineCount };
  }

  #unusualLine(text: string, end: number): void {
    if (text === '') return;
    if (text.startsWith('#')) this.#comment(text);
    else this.#sample(readCarefully(text), end);
  }

  #comment(text: string): void {
    const [hash, keyword, subject, rest] = splitComment(text);
    if (hash !== '#' || (keyword !== 'TYPE' && keyword !== 'HELP') || subject === undefined) return;
    const quoted = unquote(subject);
    if (quoted === undefined && !isMetricName(subject)) throw new Error(`not a metric name: ${subject}`);
    const name = quoted ?? subject;
    if (keyword === 'TYPE') this.#type(name, rest);
    else this.#begin(name).help = rest === undefined ? '' : unescapeHelp(rest);
  }

  #type(name: string, declared: string | undefined): void {
    const type = declared === 'untyped' ? 'unknown' : declared;
    if (type === undefined || !Object.hasOwn(SUFFIXES, type)) {
      throw new Error(`type must be one of ${Object.keys(SUFFIXES).join(', ')} or untyped, got ${declared}`);
    }
    const family = this.#begin(name);
    family.type = type as DeclaredType;
    family.members = SUFFIXES[family.type].map(suffix => name + suffix);
  }

  /** The family that HELP or TYPE speaks of: the open one when it has that name, else a new one. */
  #begin(name: string): OpenFamily {
    if (this.#open?.name !== name) {
      this.#close();
      this.#open = { name, type: 'unknown', help: '', samples: [], members: [name] };
    }
    return this.#open!;
  }

  #sample(line: SampleLine, lineEnd: number): void {
    const family = this.#open;
    if (family?.members.includes(line.name)) {
      family.samples.push({ ...line, lineEnd });
      return;
    }
    this.#close();
    this.#families.push({ name: line.name, type: 'unknown', help: '', samples: [{ ...line, lineEnd }] });
  }

  #close(): void {
    const family = this.#open;
    this.#open = undefined;
    if (family && family.name !== '') this.#families.push(named(family));
  }

  #bad(line: number, text: string, reason: string): void {
    if (this.#strict) throw new ExpositionError(line, text, reason);
    this.#badLineCount++;
    if (this.#badLines.length < MOST_BAD_LINES) this.#badLines.push(new ExpositionError(line, text, reason));
  }
}

/** A counter's family goes without `_total` and its samples with it, whichever way the server wrote them. */
function named({ name, type, help, samples }: OpenFamily): SampleFamily {
  if (type !== 'counter') return { name, type, help, samples };
  if (name.endsWith('_total')) return { name: name.slice(0, -6), type, help, samples };
  return { name, type, help, samples: samples.map(sample => ({ ...sample, name: `${sample.name}_total` })) };
}

/** `#`, keyword, name (quoted perhaps) and the rest; blanks between them are folded. */
function splitComment(text: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  let rest = text;
  while (words.length < 3 && rest !== '') {
    const end = firstBlank(rest, words.length === 2);
    words.push(rest.slice(0, end));
    rest = stripStart(rest.slice(end));
  }
  if (rest !== '') words.push(rest);
  return words;
}

function firstBlank(text: string, quotes: boolean): number {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (quotes && text[at] === '"') quoted = !quoted;
    else if (quoted && text[at] === '\\') at++;
    else if (!quoted && isBlank(text[at]!)) return at;
  }
  return text.length;
}

/** A sample line in all the freedom that the format's readers allow. `text` has no blanks around it. */
function readCarefully(text: string): SampleLine {
  const brace = indexOutsideQuotes(text, '{');
  if (brace === -1 || text.slice(0, brace).includes(' # ')) {
    const end = indexOutsideQuotes(text, ' \t');
    const name = end === -1 ? '' : strip(text.slice(0, end));
    if (!isMetricName(name)) throw new Error('expected a metric name, a blank and a value');
    return { name, labels: [], ...readValue(text.slice(end + 1)) };
  }
  const name = strip(text.slice(0, brace));
  if (name !== '' && !isMetricName(name)) throw new Error(`not a metric name: ${name}`);
  const close = indexOutsideQuotes(text, '}', brace);
  if (close === -1) throw new Error('the labels are not closed by }');
  return { ...readTerms(name, text.slice(brace + 1, close), false), ...readValue(text.slice(close + 1)) };
}

/** The value, and the last of the words behind it as a timestamp in ms; an exemplar behind ` # ` is left out. */
function readValue(text: string): { value: number; timestamp?: number; valueStart: number } {
  const exemplar = text.indexOf(' # ');
  const words = stripEnd(stripStart(exemplar === -1 ? text : text.slice(0, exemplar)));
  const parts = words
    .split(words.includes(' ') ? ' ' : '\t')
    .map(strip)
    .filter(part => part !== '');
  const value = numberOf(parts[0] ?? '');
  if (value === undefined) throw new Error(`expected a number, got ${parts[0] ?? 'nothing'}`);
  if (parts.length === 1) return { value, valueStart: -1 };
  const timestamp = numberOf(parts.at(-1)!);
  if (timestamp === undefined) throw new Error(`expected a timestamp in ms, got ${parts.at(-1)}`);
  return { value, timestamp: timestamp / 1000, valueStart: -1 };
}
