import { isUtf8 } from 'node:buffer';
import { BadLineLog, LineError } from './badLines.ts';
import { type Body, forEachLine, sliceText, toBody } from './body.ts';
import type { DeclaredType, Exposition, ParseOptions, Sample, SampleFamily } from './exposition.ts';
import { FastSampleLine } from './fastSampleLine.ts';
import { findOutsideQuotes, unquote } from './labels.ts';
import { isMetricName, unescapeValue } from './names.ts';
import { type LinePosition, OpenMetricsFamily } from './openMetricsFamily.ts';
import { readOpenMetricsLine, readTail } from './openMetricsLine.ts';
import { listTypes, parseType } from './sampleRoles.ts';
import type { ExactTimestamp } from './timestamp.ts';

const HASH = 35;

/**
 * Parses the OpenMetrics text format 1.0 like prometheus_client, but also rejects lines that the
 * specification forbids and prometheus_client accepts (double blanks, comments).
 *
 * Specification: https://prometheus.io/docs/specs/om/open_metrics_spec/. In strict mode, the first violation
 * throws `ExpositionError`. Otherwise, invalid lines and samples that violate the rules of their family's
 * type are skipped and reported, and the rules on order, grouping, names and `# EOF` are not enforced.
 */
export function parseOpenMetrics(bytes: Uint8Array, options: ParseOptions = {}): Exposition {
  const parser = new OpenMetricsParser(toBody(bytes), options.strict ?? true);
  forEachLine(parser.body.text, (start, end, line) => parser.readLine(start, end, line));
  return parser.finish();
}

class OpenMetricsParser {
  readonly body: Body;
  readonly #strict: boolean;
  readonly #fastLine: FastSampleLine;
  readonly #badLines: BadLineLog;
  readonly #isUtf8: boolean;
  readonly #families: SampleFamily[] = [];
  /** Strict mode: the names of finished families and their samples, which no other family may use. */
  readonly #usedNames = new Set<string>();
  /** Lenient mode: the finished families by sample name, for samples that are separated from their family. */
  readonly #finished = new Map<string, SampleFamily>();
  #current: OpenMetricsFamily | undefined;
  #hasEof = false;
  // The position of the current line.
  #start = 0;
  #end = 0;
  #line = 1;

  constructor(body: Body, strict: boolean) {
    this.body = body;
    this.#strict = strict;
    this.#fastLine = new FastSampleLine(body, false);
    this.#badLines = new BadLineLog(body, strict);
    this.#isUtf8 = !strict || body.isAscii || isUtf8(body.bytes);
  }

  readLine(start: number, end: number, line: number): void {
    this.#start = start;
    this.#end = end;
    this.#line = line;
    try {
      if (this.#hasEof && this.#strict) throw new LineError('nothing may follow # EOF');
      if (!this.#isUtf8 && !isUtf8(this.body.bytes.subarray(start, end))) throw new LineError('not UTF-8');
      if (start === end) this.#rejectIfStrict('unexpected blank line');
      else if (this.body.bytes[start] === HASH) this.#readComment(start, end);
      else this.#readSampleLine(start, end);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#badLines.add(line, start, end, error.message);
    }
  }

  finish(): Exposition {
    this.#close();
    if (this.#strict && !this.#hasEof)
      this.#badLines.add(this.#line, this.#start, this.#end, 'the body does not end in # EOF');
    return { families: this.#families, badLines: this.#badLines.listed, badLineCount: this.#badLines.count };
  }

  /** Throws `LineError` for a violation that only strict mode rejects. */
  #rejectIfStrict(reason: string): void {
    if (this.#strict) throw new LineError(reason);
  }

  #readComment(start: number, end: number): void {
    const { text } = this.body;
    if (end - start === 5 && text.startsWith('# EOF', start)) {
      this.#hasEof = true;
      return;
    }
    const keyword = text.slice(start + 2, start + 6);
    const isKeyword = keyword === 'HELP' || keyword === 'TYPE' || keyword === 'UNIT';
    if (!isKeyword || text[start + 1] !== ' ' || text[start + 6] !== ' ') {
      this.#rejectIfStrict('a comment must be HELP, TYPE, UNIT or EOF');
      return;
    }
    this.#readMetadata(keyword, sliceText(this.body, start + 7, end));
  }

  /** Reads the text after `# HELP `, `# TYPE ` or `# UNIT `: a metric name, one blank and the value. */
  #readMetadata(keyword: 'HELP' | 'TYPE' | 'UNIT', text: string): void {
    const end = findOutsideQuotes(text, ' ');
    if (end === -1) throw new LineError(`expected a metric name and one space after # ${keyword}`);
    const nameTerm = text.slice(0, end);
    const name = unquote(nameTerm) ?? nameTerm;
    if (name === '' || (name === nameTerm && !isMetricName(name)))
      throw new LineError(`not a metric name: ${nameTerm}`);
    const value = text.slice(end + 1);
    const type = keyword === 'TYPE' ? this.#parseType(value) : undefined;
    const family = this.#openFamily(name);
    const field = keyword === 'HELP' ? 'help' : keyword === 'UNIT' ? 'unit' : 'type';
    if (family[field] !== undefined) this.#rejectIfStrict(`duplicate ${keyword} for ${name}`);
    if (type) family.declare(type);
    else if (keyword === 'HELP') family.help = unescapeValue(value);
    else family.unit = value;
  }

  #parseType(word: string): DeclaredType {
    const type = parseType(word) ?? (word === 'untyped' && !this.#strict ? 'unknown' : undefined);
    if (!type) throw new LineError(`type must be one of ${listTypes()}, got ${word || 'nothing'}`);
    return type;
  }

  /**
   * Returns the family of a HELP, TYPE or UNIT line: the current family if the name matches, or a new one. If
   * the current family already has samples, strict mode throws `LineError`.
   */
  #openFamily(name: string): OpenMetricsFamily {
    const current = this.#current;
    if (current?.name !== name) {
      this.#close();
      this.#current = new OpenMetricsFamily(name, this.#getPosition());
    } else if (current.samples.length > 0) {
      this.#rejectIfStrict(`HELP, TYPE and UNIT of ${name} must come before its samples`);
      this.#continueFamily(current.build());
    }
    return this.#current!;
  }

  /** Opens a family with the name, HELP, TYPE and UNIT of a finished one. */
  #continueFamily({ name, type, help, unit }: SampleFamily): void {
    this.#close();
    this.#current = new OpenMetricsFamily(name, this.#getPosition());
    this.#current.declare(type);
    this.#current.help = help;
    this.#current.unit = unit;
  }

  #getPosition(): LinePosition {
    return { start: this.#start, end: this.#end, line: this.#line };
  }

  #readSampleLine(start: number, end: number): void {
    const { body } = this;
    const fast = this.#fastLine;
    if (!fast.read(start, end)) {
      this.#readGeneralLine(start, end);
      return;
    }
    const { name, labels, value, valueStart, valueEnd } = fast;
    if (valueEnd === end) {
      this.#addSample({ name, labels, value, valueStart, lineEnd: end }, undefined, fast);
      return;
    }
    const { timestamp, exemplar } = readTail(sliceText(body, valueEnd + 1, end));
    this.#addSample(
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
    // Offsets in the decoded line equal offsets in the body only for ASCII.
    const valueStart = body.isAscii && valueIndex !== -1 ? start + valueIndex : -1;
    this.#addSample(
      { ...line, ...(timestamp && { timestamp: timestamp.time }), valueStart, lineEnd: end },
      timestamp,
    );
  }

  /** Adds a sample. `fast` is the reader of its line if the line has the common form. */
  #addSample(sample: Sample, timestamp: ExactTimestamp | undefined, fast?: FastSampleLine): void {
    if (sample.native) this.#checkNative(sample);
    else if (!this.#current?.sampleNames.includes(sample.name))
      this.#openFamilyForSample(fast ? fast.ownName : sample.name);
    this.#current!.add(sample, timestamp, this.#strict);
  }

  /**
   * Throws `LineError` unless a native histogram has the name of the current family, which must be a
   * histogram. Strict mode also rejects a native histogram without labels, as the OpenMetrics conformance
   * data requires; prometheus_client accepts it.
   */
  #checkNative({ name, labels }: Sample): void {
    if (this.#current?.type !== 'histogram' || this.#current.name !== name) {
      throw new LineError('a native histogram must follow the TYPE line of its histogram');
    }
    if (labels.length === 0) this.#rejectIfStrict('a native histogram without labels');
  }

  /**
   * Opens a family for a sample that does not belong to the current family: the finished family with this
   * sample name is continued, or a family of unknown type is created.
   */
  #openFamilyForSample(name: string): void {
    const finishedFamily = this.#finished.get(name);
    if (finishedFamily) this.#continueFamily(finishedFamily);
    else {
      this.#close();
      this.#current = new OpenMetricsFamily(name, this.#getPosition());
      this.#current.declare('unknown');
    }
  }

  /** Finishes the current family. */
  #close(): void {
    const family = this.#current;
    this.#current = undefined;
    if (!family) return;
    const finishedFamily = family.build();
    this.#families.push(finishedFamily);
    if (this.#strict) this.#checkFamily(family);
    else for (const sampleName of family.sampleNames) this.#finished.set(sampleName, finishedFamily);
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
    if (this.#usedNames.has(name)) throw new LineError(`the name ${name} is used by two families`);
    this.#usedNames.add(name);
  }
}
