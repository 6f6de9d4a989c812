import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source.ts';

/** Where the shared test data is; tests say so when it is not there. */
export const sharedFolder: string = process.env.SERVELENS_SHARED ?? join(root, '../shared');

/** The text of a seed document by its number (`000`); undefined without shared test data. */
export function seedText(number: string): string | undefined {
  const folder = join(sharedFolder, 'seeds');
  const name = existsSync(folder) && readdirSync(folder).find(one => one.startsWith(`${number}_`));
  if (name) return readFileSync(join(folder, name), 'utf8');
  console.warn(`skipped: no seed ${number} in ${folder} (set SERVELENS_SHARED)`);
  return undefined;
}

/** The fenced blocks of a document in one language. */
export function codeBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...text.matchAll(fence)].map(match => match[1]!);
}

/** All SQL statements of a document: in its SQL blocks, and inside of Python and shell examples. */
export function sqlStatements(text: string): string[] {
  const blocks = codeBlocks(text, 'sql').flatMap(block => block.split(/;\s*$/m));
  const inPython = codeBlocks(text, 'python').flatMap(block =>
    [...block.matchAll(/\.query\("""(.*?)"""\)/gs)].map(match => match[1]!),
  );
  const inShell = codeBlocks(text, 'bash').flatMap(block =>
    [...block.matchAll(/duckdb -c "([^"]*)"/g)].map(match => match[1]!),
  );
  return [...blocks, ...inPython, ...inShell].map(one => one.trim()).filter(one => one !== '');
}
