import { isUtf8 } from 'node:buffer';
import { BadLines } from './badlines.ts';
import { type Body, bodyOf, cut, forEachLine } from './body.ts';
import type { DeclaredType, Exposition, ParseOptions, Sample, SampleFamily } from './exposition.ts';
import type { Instant } from './instant.ts';
import { typeNamed, typeNames } from './metricparts.ts';
import { isMetricName, unescapeValue } from './names.ts';
import { OpenFamily, type Place } from './openfamily.ts';
import { readOpenMetricsLine, readTail } from './openmetricsline.ts';
import { UsualLine } from './sampleline.ts';
import { indexOutsideQuotes, unquote } from './terms.ts';
import { Unreadable } from './unreadable.ts';

const HASH = 35;

/**
 * Reads a body in OpenMetrics text 1.0, as prometheus_client's parser of that format does, plus what the specification
 * forbids and that parser lets pass in the lines themselves (double blanks, comments).
 *
 * Specification: https://prometheus.io/docs/specs/om/open_metrics_spec/. In strict mode the first offence throws
 * `ExpositionError`. Otherwise a line that cannot be read, or whose sample cannot be of its family's type, is left out and
 * reported, and what the format says on order, grouping, names and `# EOF` is not insisted on.
 */
export function parseOpenMetrics(bytes: Uint8Array, options: ParseOptions = {}): Exposition {
  const reading = new OpenMetricsReading(bodyOf(bytes), options.strict ?? true);
  forEachLine(reading.body.text, (start, end, line) => reading.line(start, end, line));
  return reading.finish();
}

class OpenMetricsReading {
  readonly body: Body;
  readonly #strict: boolean;
  readonly #usual: UsualLine;
  readonly #bad: BadLines;
  readonly #utf8: boolean;
  readonly #families: SampleFamily[] = [];
  /** In strict mode, the names that no further family may use. */
  readonly #taken = new Set<string>();
  /** Otherwise, the finished families by the names of their samples, for samples that come late. */
  readonly #finished = new Map<string, SampleFamily>();
  #open: OpenFamily | undefined;
  #ended = false;
  #start = 0;
  #end = 0;
  #line = 1;

  constructor(body: Body, strict: boolean) {
    this.body = body;
    this.#strict = strict;
    this.#usual = new UsualLine(body, false);
    this.#bad = new BadLines(body, strict);
    this.#utf8 = !strict || body.ascii || isUtf8(body.bytes);
  }

  line(start: number, end: number, line: number): void {
    this.#start = start;
    this.#end = end;
    this.#line = line;
    try {
      if (this.#ended && this.#strict) throw new Unreadable('nothing may follow # EOF');
      if (!this.#utf8 && !isUtf8(this.body.bytes.subarray(start, end))) throw new Unreadable('not UTF-8');
      if (start === end) this.#insist('a blank line');
      else if (this.body.bytes[start] === HASH) this.#comment(start, end);
      else this.#sampleLine(start, end);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error; // a report on the family that this line ends, too
      this.#bad.add(line, start, end, error.message);
    }
  }

  finish(): Exposition {
    this.#close();
    if (this.#strict && !this.#ended)
      this.#bad.add(this.#line, this.#start, this.#end, 'the body does not end in # EOF');
    return { families: this.#families, badLines: this.#bad.kept, badLineCount: this.#bad.count };
  }

  /** For rules that matter in strict mode only. */
  #insist(reason: string): void {
    if (this.#strict) throw new Unreadable(reason);
  }

  #comment(start: number, end: number): void {
    const { text } = this.body;
    if (end - start === 5 && text.startsWith('# EOF', start)) {
      this.#ended = true;
      return;
    }
    const keyword = text.slice(start + 2, start + 6);
    const known = keyword === 'HELP' || keyword === 'TYPE' || keyword === 'UNIT';
    if (!known || text[start + 1] !== ' ' || text[start + 6] !== ' ') {
      this.#insist('a comment must be HELP, TYPE, UNIT or EOF');
      return;
    }
    this.#metadata(keyword, cut(this.body, start + 7, end));
  }

  /** `text` is what follows `# HELP `: a name, one blank, and the rest of the line. */
  #metadata(keyword: 'HELP' | 'TYPE' | 'UNIT', text: string): void {
    const end = indexOutsideQuotes(text, ' ');
    if (end === -1) throw new Unreadable(`expected a metric name and one blank behind # ${keyword}`);
    const written = text.slice(0, end);
    const name = unquote(written) ?? written;
    if (name === '' || (name === written && !isMetricName(name)))
      throw new Unreadable(`not a metric name: ${written}`);
    const rest = text.slice(end + 1);
    const type = keyword === 'TYPE' ? this.#typeOf(rest) : undefined;
    const family = this.#begin(name);
    const field = keyword === 'HELP' ? 'help' : keyword === 'UNIT' ? 'unit' : 'type';
    if (family[field] !== undefined) this.#insist(`a second ${keyword} for ${name}`);
    if (type) family.declare(type);
    else if (keyword === 'HELP') family.help = unescapeValue(rest);
    else family.unit = rest;
  }

  #typeOf(word: string): DeclaredType {
    const type = typeNamed(word) ?? (word === 'untyped' && !this.#strict ? 'unknown' : undefined);
    if (!type) throw new Unreadable(`type must be one of ${typeNames()}, got ${word || 'nothing'}`);
    return type;
  }

  /** The family that a comment speaks of: the open one when it has that name, else a new one. */
  #begin(name: string): OpenFamily {
    const open = this.#open;
    if (open?.name !== name) {
      this.#close();
      this.#open = new OpenFamily(name, this.#place());
    } else if (open.samples.length > 0) {
      this.#insist(`HELP, TYPE and UNIT of ${name} must come before its samples`);
      this.#reopen(open.finished());
    }
    return this.#open!;
  }

  /** Goes on with a family under the same HELP, TYPE and UNIT. */
  #reopen({ name, type, help, unit }: SampleFamily): void {
    this.#close();
    this.#open = new OpenFamily(name, this.#place());
    this.#open.declare(type);
    this.#open.help = help;
    this.#open.unit = unit;
  }

  #place(): Place {
    return { start: this.#start, end: this.#end, line: this.#line };
  }

  #sampleLine(start: number, end: number): void {
    const { body } = this;
    const usual = this.#usual;
    if (!usual.read(start, end)) {
      this.#unusualLine(start, end);
      return;
    }
    const { name, labels, value, valueStart, valueEnd } = usual;
    if (valueEnd === end) {
      this.#sample({ name, labels, value, valueStart, lineEnd: end }, undefined, usual);
      return;
    }
    const { instant, exemplar } = readTail(cut(body, valueEnd + 1, end));
    this.#sample(
      {
        name,
        labels,
        value,
        ...(instant && { timestamp: instant.time }),
        ...(exemplar && { exemplar }),
        valueStart,
        lineEnd: end,
      },
      instant,
      usual,
    );
  }

  #unusualLine(start: number, end: number): void {
    const { body } = this;
    const { instant, valueIndex, ...line } = readOpenMetricsLine(cut(body, start, end));
    // In other text than ASCII, places in the line are not places in the body.
    const valueStart = body.ascii && valueIndex !== -1 ? start + valueIndex : -1;
    this.#sample({ ...line, ...(instant && { timestamp: instant.time }), valueStart, lineEnd: end }, instant);
  }

  /** `usual` is where the sample was read from, if it was. */
  #sample(sample: Sample, instant: Instant | undefined, usual?: UsualLine): void {
    if (sample.native) this.#checkNative(sample);
    else if (!this.#open?.members.includes(sample.name))
      this.#beginSample(usual ? usual.ownName : sample.name);
    this.#open!.add(sample, instant, this.#strict);
  }

  /**
   * A native histogram stands in a histogram's family and bears its name.
   *
   * One without labels is refused in strict mode, as the shared conformance data have it; prometheus_client itself takes it.
   */
  #checkNative({ name, labels }: Sample): void {
    if (this.#open?.type !== 'histogram' || this.#open.name !== name) {
      throw new Unreadable('a native histogram must follow the TYPE line of its histogram');
    }
    if (labels.length === 0) this.#insist('a native histogram without labels');
  }

  /** A sample that is not of the open family begins one of unknown type, or comes late. */
  #beginSample(name: string): void {
    const finished = this.#finished.get(name);
    if (finished) this.#reopen(finished);
    else {
      this.#close();
      this.#open = new OpenFamily(name, this.#place());
      this.#open.declare('unknown');
    }
  }

  #close(): void {
    const family = this.#open;
    this.#open = undefined;
    if (!family) return;
    const finished = family.finished();
    this.#families.push(finished);
    if (this.#strict) this.#checkFamily(family);
    else for (const member of family.members) this.#finished.set(member, finished);
  }

  #checkFamily(family: OpenFamily): void {
    const { start, end, line } = family.at;
    try {
      family.check();
      this.#take(family.name);
      for (const name of family.members) if (name !== family.name) this.#take(name);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#bad.add(line, start, end, error.message);
    }
  }

  #take(name: string): void {
    if (this.#taken.has(name)) throw new Unreadable(`two families share the name ${name}`);
    this.#taken.add(name);
  }
}
