import { readFileSync } from 'node:fs';
import type { Case } from './case.ts';

/** Thrown if a file of cases cannot be read or has an invalid line. */
export class CaseFileError extends Error {
  override readonly name: string = 'CaseFileError';
}

/**
 * Reads the cases of a JSONL file. Skips empty lines.
 *
 * @throws {CaseFileError} if the file cannot be read or a line is not a case
 */
export function readCaseFile(file: string): Case[] {
  const cases: Case[] = [];
  for (const [index, line] of readText(file).split('\n').entries())
    if (line.trim() !== '') cases.push(parseCase(line, `${file}:${index + 1}`));
  return cases;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CaseFileError(`cannot read the case file: ${(error as Error).message}`);
  }
}

function parseCase(line: string, location: string): Case {
  const expected = 'expected an object with the strings id and text, and the boolean should_parse';
  let value: Partial<Case> | null;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new CaseFileError(`${location} is not valid JSON: ${(error as Error).message}; ${expected}`);
  }
  const { id, text, should_parse } = value ?? {};
  if (typeof id !== 'string' || typeof text !== 'string' || typeof should_parse !== 'boolean')
    throw new CaseFileError(`${location} is not a case; ${expected}`);
  return value as Case;
}
