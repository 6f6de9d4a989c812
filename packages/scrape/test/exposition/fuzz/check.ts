import { deepStrictEqual } from 'node:assert';
import { Layout } from '@org/core';
import type { Reading } from '../../../src/exposition/bodyState.ts';
import { parseClassic } from '../../../src/exposition/classicParser.ts';
import type { ExpositionFormat } from '../../../src/exposition/contentType.ts';
import { type Exposition, ExpositionError } from '../../../src/exposition/exposition.ts';
import { ExpositionReader } from '../../../src/exposition/expositionReader.ts';
import { parseOpenMetrics } from '../../../src/exposition/openMetricsParser.ts';

const NEWLINE = 10;
const MAX_MESSAGE_CHARACTERS = 1500;
const PARSERS = { classic: parseClassic, openmetrics: parseOpenMetrics };

export const FORMATS: readonly ExpositionFormat[] = ['classic', 'openmetrics'];

/**
 * Checks the invariants of arbitrary bytes: they are parsed or rejected with an `ExpositionError`; lenient
 * mode rejects nothing and reads what strict mode does; offsets of values are correct. Returns whether strict
 * mode accepts the bytes.
 */
export function checkBody(body: Buffer, format: ExpositionFormat): boolean {
  const parse = PARSERS[format];
  const lenient = parse(body, { strict: false });
  checkOffsets(body, lenient);
  const strict = tryRead(() => parse(body, { strict: true }));
  if (!strict) return false;
  deepStrictEqual(lenient, strict);
  return true;
}

/**
 * Checks that reading a body after another one gives the same result as reading it alone. Strict mode must
 * accept both.
 *
 * First bodies with timestamps are skipped: the result of reading the next body depends on its timestamps, and
 * incremental reading does not compare timestamps. Bodies that end like OpenMetrics but are parsed as classic
 * text are skipped too: the format of the first body is detected, and later bodies are parsed in that format.
 */
export function checkNext(first: Buffer, next: Buffer, format: ExpositionFormat): void {
  if (hasTimes(first, format) || [first, next].some(body => isMislabeled(body, format))) return;
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  reader.read(first, format);
  const afterFirst = tryRead(() => copyValues(reader.read(next, format)));
  if (!afterFirst) return; // the body may be truncated or contain no samples
  const alone = copyValues(new ExpositionReader(layout).read(next, format));
  const length = Math.max(afterFirst.values.length, alone.values.length);
  deepStrictEqual(padValues(afterFirst.values, length), padValues(alone.values, length));
}

function copyValues({ values }: Reading): { values: Float64Array } {
  return { values: values.slice() };
}

function isMislabeled(body: Buffer, format: ExpositionFormat): boolean {
  return format === 'classic' && body.subarray(-8).includes('# EOF');
}

function hasTimes(body: Buffer, format: ExpositionFormat): boolean {
  const { families } = PARSERS[format](body);
  return families.some(family => family.samples.some(sample => sample.timestamp !== undefined));
}

/** Extends values to `length` slots. Slots missing at the end of a frame are absent. */
function padValues(values: Float64Array, length: number): Float64Array {
  const padded = new Float64Array(length).fill(Number.NaN);
  padded.set(values);
  return padded;
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    if (error.message.length > MAX_MESSAGE_CHARACTERS)
      throw new Error(`the error message has ${error.message.length} characters`);
    return undefined;
  }
}

function checkOffsets(body: Buffer, { families }: Exposition): void {
  for (const { name, value, valueStart, lineEnd } of families.flatMap(family => family.samples)) {
    if (lineEnd !== body.length && body[lineEnd] !== NEWLINE)
      throw new Error(`${name} has a line end that is not at a newline`);
    if (valueStart === -1) continue;
    const written = body.toString('latin1', valueStart, lineEnd).split(' ', 1)[0]!;
    const isSame = Object.is(Number(written), value) || !Number.isFinite(value);
    if (!isSame) throw new Error(`${name} is ${value}, but its offset points to ${JSON.stringify(written)}`);
  }
}

/** Reports whether strict mode accepts a body. */
export function isAccepted(body: Buffer, format: ExpositionFormat): boolean {
  return tryRead(() => PARSERS[format](body, { strict: true })) !== undefined;
}
