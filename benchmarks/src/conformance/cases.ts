import { readFileSync } from 'node:fs';
import type { Case } from './case.ts';

/** A file of cases cannot be read, or a line of it is no case. */
export class CasesError extends Error {
  override readonly name: string = 'CasesError';
}

/** The cases of a file, one a line; empty lines are none. Throws `CasesError`. */
export function casesIn(file: string): Case[] {
  const cases: Case[] = [];
  for (const [index, line] of textOf(file).split('\n').entries())
    if (line.trim() !== '') cases.push(caseOf(line, `${file}:${index + 1}`));
  return cases;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CasesError(`cannot read the cases: ${(error as Error).message}`);
  }
}

function caseOf(line: string, where: string): Case {
  const expected = 'expected an object with the texts id and text, and should_parse, which is true or false';
  let value: Partial<Case> | null;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new CasesError(`${where} is no JSON: ${(error as Error).message}; ${expected}`);
  }
  const { id, text, should_parse } = value ?? {};
  if (typeof id !== 'string' || typeof text !== 'string' || typeof should_parse !== 'boolean')
    throw new CasesError(`${where} is no case; ${expected}`);
  return value as Case;
}
