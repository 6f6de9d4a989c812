import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source.ts';

/** Folder of the shared test data. Tests that need it are skipped if it does not exist. */
export const sharedFolder: string = process.env.SERVELENS_SHARED ?? join(root, '../shared');

/**
 * Reads a document of the shared test data by its number (`000`). Returns undefined if the document is missing.
 */
export function readSharedDocument(number: string): string | undefined {
  const folder = join(sharedFolder, 'seeds');
  const name = existsSync(folder) && readdirSync(folder).find(file => file.startsWith(`${number}_`));
  if (name) return readFileSync(join(folder, name), 'utf8');
  console.warn(`skipped: no document ${number} in ${folder}; set SERVELENS_SHARED to the shared test data`);
  return undefined;
}

/** Returns the fenced code blocks of a language. */
export function findCodeBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...text.matchAll(fence)].map(match => match[1]!);
}

/** Returns all SQL statements of a document, from SQL blocks and from Python and shell examples. */
export function findSqlStatements(text: string): string[] {
  const blocks = findCodeBlocks(text, 'sql').flatMap(block => block.split(/;\s*$/m));
  const inPython = findCodeBlocks(text, 'python').flatMap(block =>
    [...block.matchAll(/\.query\("""(.*?)"""\)/gs)].map(match => match[1]!),
  );
  const inShell = findCodeBlocks(text, 'bash').flatMap(block =>
    [...block.matchAll(/duckdb -c "([^"]*)"/g)].map(match => match[1]!),
  );
  return [...blocks, ...inPython, ...inShell].map(statement => statement.trim()).filter(Boolean);
}
