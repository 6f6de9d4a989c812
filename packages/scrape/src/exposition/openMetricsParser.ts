import { isUtf8 } from 'node:buffer';
import { BadLineLog, LineError } from './badLines.ts';
import { type Body, forEachLine, sliceText, toBody } from './body.ts';
import type { DeclaredType, Exposition, ParseOptions, Sample, SampleFamily } from './exposition.ts';
import { FastSampleLine } from './fastSampleLine.ts';
import { indexOutsideQuotes, unquote } from './labels.ts';
import { isMetricName, unescapeValue } from './names.ts';
import { type LinePosition, OpenMetricsFamily } from './openMetricsFamily.ts';
import { readOpenMetricsLine, readTail } from './openMetricsLine.ts';
import { listTypes, parseType } from './sampleRoles.ts';
import type { ExactTimestamp } from './timestamp.ts';

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
  const parse = new OpenMetricsParse(toBody(bytes), options.strict ?? true);
  forEachLine(parse.body.text, (start, end, line) => parse.line(start, end, line));
  return parse.finish();
}

class OpenMetricsParse {
  readonly body: Body;
  readonly #strict: boolean;
  readonly #fastLine: FastSampleLine;
  readonly #badLines: BadLineLog;
  readonly #isUtf8: boolean;
  readonly #families: SampleFamily[] = [];
  /** In strict mode, the names that no further family may use. */
  readonly #usedNames = new Set<string>();
  /** Otherwise, the finished families by the names of their samples, for samples that come late. */
  readonly #finished = new Map<string, SampleFamily>();
  #current: OpenMetricsFamily | undefined;
  #hasEof = false;
  #start = 0;
  #end = 0;
  #line = 1;

  constructor(body: Body, strict: boolean) {
    this.body = body;
    this.#strict = strict;
    this.#fastLine = new FastSampleLine(body, false);
    this.#badLines = new BadLineLog(body, strict);
    this.#isUtf8 = !strict || body.ascii || isUtf8(body.bytes);
  }

  line(start: number, end: number, line: number): void {
    this.#start = start;
    this.#end = end;
    this.#line = line;
    try {
      if (this.#hasEof && this.#strict) throw new LineError('nothing may follow # EOF');
      if (!this.#isUtf8 && !isUtf8(this.body.bytes.subarray(start, end))) throw new LineError('not UTF-8');
      if (start === end) this.#requireStrict('a blank line');
      else if (this.body.bytes[start] === HASH) this.#comment(start, end);
      else this.#sampleLine(start, end);
    } catch (error) {
      if (!(error instanceof LineError)) throw error; // a report on the family that this line ends, too
      this.#badLines.add(line, start, end, error.message);
    }
  }

  finish(): Exposition {
    this.#close();
    if (this.#strict && !this.#hasEof)
      this.#badLines.add(this.#line, this.#start, this.#end, 'the body does not end in # EOF');
    return { families: this.#families, badLines: this.#badLines.listed, badLineCount: this.#badLines.count };
  }

  /** For rules that matter in strict mode only. */
  #requireStrict(reason: string): void {
    if (this.#strict) throw new LineError(reason);
  }

  #comment(start: number, end: number): void {
    const { text } = this.body;
    if (end - start === 5 && text.startsWith('# EOF', start)) {
      this.#hasEof = true;
      return;
    }
    const keyword = text.slice(start + 2, start + 6);
    const known = keyword === 'HELP' || keyword === 'TYPE' || keyword === 'UNIT';
    if (!known || text[start + 1] !== ' ' || text[start + 6] !== ' ') {
      this.#requireStrict('a comment must be HELP, TYPE, UNIT or EOF');
      return;
    }
    this.#metadata(keyword, sliceText(this.body, start + 7, end));
  }

  /** `text` is what follows `# HELP `: a name, one blank, and the rest of the line. */
  #metadata(keyword: 'HELP' | 'TYPE' | 'UNIT', text: string): void {
    const end = indexOutsideQuotes(text, ' ');
    if (end === -1) throw new LineError(`expected a metric name and one blank behind # ${keyword}`);
    const written = text.slice(0, end);
    const name = unquote(written) ?? written;
    if (name === '' || (name === written && !isMetricName(name)))
      throw new LineError(`not a metric name: ${written}`);
    const rest = text.slice(end + 1);
    const type = keyword === 'TYPE' ? this.#parseType(rest) : undefined;
    const family = this.#openFamily(name);
    const field = keyword === 'HELP' ? 'help' : keyword === 'UNIT' ? 'unit' : 'type';
    if (family[field] !== undefined) this.#requireStrict(`a second ${keyword} for ${name}`);
    if (type) family.declare(type);
    else if (keyword === 'HELP') family.help = unescapeValue(rest);
    else family.unit = rest;
  }

  #parseType(word: string): DeclaredType {
    const type = parseType(word) ?? (word === 'untyped' && !this.#strict ? 'unknown' : undefined);
    if (!type) throw new LineError(`type must be one of ${listTypes()}, got ${word || 'nothing'}`);
    return type;
  }

  /** The family that a comment speaks of: the current one when it has that name, else a new one. */
  #openFamily(name: string): OpenMetricsFamily {
    const current = this.#current;
    if (current?.name !== name) {
      this.#close();
      this.#current = new OpenMetricsFamily(name, this.#position());
    } else if (current.samples.length > 0) {
      this.#requireStrict(`HELP, TYPE and UNIT of ${name} must come before its samples`);
      this.#continueFamily(current.build());
    }
    return this.#current!;
  }

  /** Goes on with a family under the same HELP, TYPE and UNIT. */
  #continueFamily({ name, type, help, unit }: SampleFamily): void {
    this.#close();
    this.#current = new OpenMetricsFamily(name, this.#position());
    this.#current.declare(type);
    this.#current.help = help;
    this.#current.unit = unit;
  }

  #position(): LinePosition {
    return { start: this.#start, end: this.#end, line: this.#line };
  }

  #sampleLine(start: number, end: number): void {
    const { body } = this;
    const fast = this.#fastLine;
    if (!fast.read(start, end)) {
      this.#readGeneralLine(start, end);
      return;
    }
    const { name, labels, value, valueStart, valueEnd } = fast;
    if (valueEnd === end) {
      this.#sample({ name, labels, value, valueStart, lineEnd: end }, undefined, fast);
      return;
    }
    const { timestamp, exemplar } = readTail(sliceText(body, valueEnd + 1, end));
    this.#sample(
      {
        name,
        labels,
        value,
        ...(timestamp && { timestamp: timestamp.time }),
        ...(exemplar && { exemplar }),
        valueStart,
        lineEnd: end,
      },
      timestamp,
      fast,
    );
  }

  #readGeneralLine(start: number, end: number): void {
    const { body } = this;
    const { timestamp, valueIndex, ...line } = readOpenMetricsLine(sliceText(body, start, end));
    // In other text than ASCII, places in the line are not places in the body.
    const valueStart = body.ascii && valueIndex !== -1 ? start + valueIndex : -1;
    this.#sample(
      { ...line, ...(timestamp && { timestamp: timestamp.time }), valueStart, lineEnd: end },
      timestamp,
    );
  }

  /** `fast` is where the sample was read from, if it was. */
  #sample(sample: Sample, timestamp: ExactTimestamp | undefined, fast?: FastSampleLine): void {
    if (sample.native) this.#checkNative(sample);
    else if (!this.#current?.sampleNames.includes(sample.name))
      this.#openFamilyOf(fast ? fast.ownName : sample.name);
    this.#current!.add(sample, timestamp, this.#strict);
  }

  /**
   * A native histogram stands in a histogram's family and bears its name.
   *
   * One without labels is refused in strict mode, as the shared conformance data have it; prometheus_client itself takes it.
   */
  #checkNative({ name, labels }: Sample): void {
    if (this.#current?.type !== 'histogram' || this.#current.name !== name) {
      throw new LineError('a native histogram must follow the TYPE line of its histogram');
    }
    if (labels.length === 0) this.#requireStrict('a native histogram without labels');
  }

  /** A sample that is not of the current family begins one of unknown type, or comes late. */
  #openFamilyOf(name: string): void {
    const finished = this.#finished.get(name);
    if (finished) this.#continueFamily(finished);
    else {
      this.#close();
      this.#current = new OpenMetricsFamily(name, this.#position());
      this.#current.declare('unknown');
    }
  }

  #close(): void {
    const family = this.#current;
    this.#current = undefined;
    if (!family) return;
    const finished = family.build();
    this.#families.push(finished);
    if (this.#strict) this.#checkFamily(family);
    else for (const sampleName of family.sampleNames) this.#finished.set(sampleName, finished);
  }

  #checkFamily(family: OpenMetricsFamily): void {
    const { start, end, line } = family.position;
    try {
      family.check();
      this.#claimName(family.name);
      for (const name of family.sampleNames) if (name !== family.name) this.#claimName(name);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#badLines.add(line, start, end, error.message);
    }
  }

  #claimName(name: string): void {
    if (this.#usedNames.has(name)) throw new LineError(`two families share the name ${name}`);
    this.#usedNames.add(name);
  }
}
