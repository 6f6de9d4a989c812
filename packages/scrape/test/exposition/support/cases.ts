import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Exposition, ParseOptions } from '../../../src/exposition/exposition.ts';
import { ExpositionError } from '../../../src/exposition/exposition.ts';
import { type Labels, type PlainFamily, toPlainFamilies } from './plainFamilies.ts';

/** A test case: parsing `text`, or the text that `repeat` describes, returns `families` or fails with `error`. */
interface Case {
  name: string;
  text?: string;
  repeat?: { head: string; unit: string; times: number; tail: string };
  families?: CaseFamily[];
  /** A regular expression that matches the error message. */
  error?: string;
  /** The expected number of labels of the first sample. */
  labels?: number;
}

interface CaseFamily extends Omit<PlainFamily, 'help' | 'samples'> {
  help?: string;
  samples: { name: string; labels?: Labels; value: number | 'NaN' }[];
}

/** Runs the cases of a file in `files/` with a parser in strict mode. */
export function runCases(
  file: string,
  parse: (bytes: Uint8Array, options: ParseOptions) => Exposition,
): void {
  const cases = JSON.parse(readFileSync(resolve(import.meta.dirname, '../files', file), 'utf8')) as Case[];
  const titledCases = cases.map(testCase => ({
    ...testCase,
    title: `${testCase.error === undefined ? 'reads' : 'rejects'} ${testCase.name}`,
  }));
  test.each(titledCases)('$title', ({ text, repeat, families, error, labels }) => {
    const read = (): Exposition => parse(Buffer.from(text ?? buildRepeatedText(repeat!)), { strict: true });
    if (error !== undefined) {
      expect(read).toThrow(ExpositionError);
      expect(read).toThrow(new RegExp(error));
      return;
    }
    const exposition = read();
    expect(exposition.badLineCount).toBe(0);
    if (families) expect(toPlainFamilies(exposition)).toEqual(families.map(toPlainFamily));
    if (labels !== undefined) expect(exposition.families[0]?.samples[0]?.labels).toHaveLength(labels);
  });
}

function toPlainFamily({ help = '', samples, ...family }: CaseFamily): PlainFamily {
  return {
    ...family,
    help,
    samples: samples.map(sample => ({ labels: [], ...sample, value: Number(sample.value) })),
  };
}

function buildRepeatedText({ head, unit, times, tail }: NonNullable<Case['repeat']>): string {
  const units = Array.from({ length: times }, (_, index) => unit.replace('%', String(index)));
  return head + units.join('') + tail;
}
