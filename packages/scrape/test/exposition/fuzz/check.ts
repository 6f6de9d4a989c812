import { deepStrictEqual } from 'node:assert';
import { Layout } from '@org/core';
import { parseClassic } from '../../../src/exposition/classicParser.ts';
import type { ExpositionFormat } from '../../../src/exposition/contentType.ts';
import { type Exposition, ExpositionError } from '../../../src/exposition/exposition.ts';
import { ExpositionReader, type Reading } from '../../../src/exposition/expositionReader.ts';
import { parseOpenMetrics } from '../../../src/exposition/openMetricsParser.ts';

const NEWLINE = 10;
const LONGEST_MESSAGE = 1500;
const PARSERS = { classic: parseClassic, openmetrics: parseOpenMetrics };

export const FORMATS: readonly ExpositionFormat[] = ['classic', 'openmetrics'];

/**
 * Holds what must be true of any bytes whatever: they are read or rejected with an `ExpositionError`, lenient mode rejects
 * nothing and reads what strict mode does, and values stand where they are said to. Returns whether strict mode accepts.
 */
export function checkBody(body: Buffer, format: ExpositionFormat): boolean {
  const parse = PARSERS[format];
  const lenient = parse(body, { strict: false });
  checkPlaces(body, lenient);
  const strict = orRejected(() => parse(body, { strict: true }));
  if (!strict) return false;
  deepStrictEqual(lenient, strict);
  return true;
}

/**
 * Reading a body after another one gives what reading it alone gives. Both are bodies that strict mode accepts.
 *
 * Bodies of several points in time are left out: what a reader does with them depends on timestamps, and a reader that only
 * looks for differences in values does not see when one changes. So are bodies that end as OpenMetrics and are read as
 * classic text: a first body of this kind is read as what it looks like, a later one as the first was.
 */
export function checkNext(first: Buffer, next: Buffer, format: ExpositionFormat): void {
  if (hasTimes(first, format) || [first, next].some(body => isMislabelled(body, format))) return;
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  reader.read(first, format);
  const after = orRejected(() => copied(reader.read(next, format)));
  if (!after) return; // it may have lost its end, or all its samples
  const alone = copied(new ExpositionReader(layout).read(next, format));
  const length = Math.max(after.values.length, alone.values.length);
  deepStrictEqual(filled(after.values, length), filled(alone.values, length));
}

function copied({ values }: Reading): { values: Float64Array } {
  return { values: values.slice() };
}

function isMislabelled(body: Buffer, format: ExpositionFormat): boolean {
  return format === 'classic' && body.subarray(-8).includes('# EOF');
}

function hasTimes(body: Buffer, format: ExpositionFormat): boolean {
  const { families } = PARSERS[format](body);
  return families.some(family => family.samples.some(sample => sample.timestamp !== undefined));
}

/** What is missing at the end of a frame is absent. */
function filled(values: Float64Array, length: number): Float64Array {
  const all = new Float64Array(length).fill(Number.NaN);
  all.set(values);
  return all;
}

function orRejected<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    if (error.message.length > LONGEST_MESSAGE)
      throw new Error(`a message of ${error.message.length} characters`);
    return undefined;
  }
}

function checkPlaces(body: Buffer, { families }: Exposition): void {
  for (const { name, value, valueStart, lineEnd } of families.flatMap(family => family.samples)) {
    if (lineEnd !== body.length && body[lineEnd] !== NEWLINE) throw new Error(`${name} ends inside its line`);
    if (valueStart === -1) continue;
    const written = body.toString('latin1', valueStart, lineEnd).split(' ', 1)[0]!;
    const same = Object.is(Number(written), value) || !Number.isFinite(value);
    if (!same)
      throw new Error(`${name} is ${value}, and ${JSON.stringify(written)} stands where its value should`);
  }
}

/** Whether strict mode accepts a body. */
export function isAccepted(body: Buffer, format: ExpositionFormat): boolean {
  return orRejected(() => PARSERS[format](body, { strict: true })) !== undefined;
}
