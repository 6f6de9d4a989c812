import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of shared test data: next to the repository, or SERVELENS_SHARED. */
const shared = process.env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../../../../shared');

/**
 * Parses the lines of a JSONL file of shared test data. If the file is missing, logs a message and returns an
 * empty array.
 */
export function readSharedLines<T>(file: string): T[] {
  const text = readSharedFile(file)?.toString('utf8').trim();
  return text ? text.split('\n').map(line => JSON.parse(line) as T) : [];
}

/** Reads a file of shared test data. If the file is missing, logs a message and returns undefined. */
export function readSharedFile(file: string): Buffer | undefined {
  const path = resolve(shared, file);
  if (existsSync(path)) return readFileSync(path);
  console.warn(`skipped: shared test data ${file} is not at ${path} (set SERVELENS_SHARED)`);
  return undefined;
}

/** Returns all expositions of the shared fixtures and all texts of the conformance cases, as bytes. */
export function readSharedBodies(): Buffer[] {
  const folder = resolve(shared, 'fixtures/exposition');
  const files = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.txt')) : [];
  const bodies = files.map(file => readFileSync(resolve(folder, file)));
  const cases = ['classic', 'openmetrics'].flatMap(format =>
    readSharedLines<{ text: string }>(`conformance/${format}.jsonl`).map(({ text }) => Buffer.from(text)),
  );
  return [...bodies, ...cases];
}
