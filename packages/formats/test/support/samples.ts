import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonWriter } from '../../src/json/jsonWriter.ts';
import { parseJson } from '../../src/json/parse.ts';
import { validate } from '../../src/validate/validate.ts';

/** Folder of the valid samples, the descriptions of invalid ones, and the Parquet files. */
export const samplesFolder = join(import.meta.dirname, '../files');

interface Change {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly remove?: boolean;
}

/** An invalid sample, described by its difference from a valid one. */
interface InvalidSample {
  readonly name: string;
  /** Fields to set or remove. */
  readonly change?: readonly Change[];
  /** Pairs of a text and its replacement. Only the first occurrence of a text is replaced. */
  readonly replace?: readonly (readonly [string, string])[];
  /** Number of UTF-16 code units to keep at the start. */
  readonly cut?: number;
  /** Text to validate instead of the valid sample. */
  readonly text?: string;
  /** True to validate in strict mode. */
  readonly strict?: boolean;
  /** True if the document stays valid, because the rule only warns. */
  readonly valid?: boolean;
  /** True if the change causes further findings. */
  readonly others?: boolean;
  readonly issues: readonly { readonly rule: string; readonly place: string }[];
}

/** The content of a file in test/files/invalid. */
interface Suite {
  /** File name of the valid sample. */
  readonly base: string;
  readonly cases: readonly InvalidSample[];
}

/** Reads a file of test/files/invalid. */
export function readInvalidSamples(name: string): Suite {
  return JSON.parse(readFileSync(join(samplesFolder, 'invalid', name), 'utf8'));
}

/**
 * Declares a test for each sample in a file of test/files/invalid: validation must report exactly the
 * described findings, or at least these if the sample sets `others`.
 */
export function testInvalidSamples(name: string): void {
  const { base, cases } = readInvalidSamples(name);
  describe(`validation of the samples in ${name}`, () => {
    it.each(cases)('reports the expected findings: $name', async sample => {
      const { strict = false, valid = false, others, issues } = sample;
      const result = await validate(buildText(base, sample), { strict });
      const foundIssues = result.issues.map(({ rule, place }) => ({ rule, place }));
      if (others) expect(foundIssues).toEqual(expect.arrayContaining([...issues]));
      else expect(foundIssues).toEqual(issues);
      expect(result.valid).toBe(valid);
      for (const issue of result.issues) expect(issue.message).toMatch(/^\S.{10,}/s);
    });
  });
}

function buildText(base: string, { change, replace, cut, text: replacementText }: InvalidSample): string {
  let text = replacementText ?? readFileSync(join(samplesFolder, 'valid', base), 'utf8');
  for (const [from, to] of replace ?? []) {
    if (!replacementText && !text.includes(from)) throw new Error(`${base} does not contain ${from}`);
    text = text.replace(from, () => to);
  }
  if (change) text = changeFields(text, change);
  return cut === undefined ? text : text.slice(0, cut);
}

function changeFields(text: string, changes: readonly Change[]): string {
  const { value: document } = parseJson(text);
  for (const { path, value, remove } of changes) {
    const parent = path.slice(0, -1).reduce((at, key) => (at as never)[key], document) as Record<
      string,
      unknown
    >;
    if (remove) delete parent[path.at(-1)!];
    else parent[path.at(-1)!] = value;
  }
  return new JsonWriter(2).stringify(document);
}
