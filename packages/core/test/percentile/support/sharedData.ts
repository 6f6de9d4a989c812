import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of the shared test data: SERVELENS_SHARED, or a folder next to the repository by default. */
const shared = process.env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../../../../shared');

/** Reads a JSONL file of the shared test data. Returns null with a warning if the file is missing. */
export function readSharedLines<T>(file: string): T[] | null {
  const lines = readSharedText(file)?.trim().split('\n');
  return lines?.map(line => parsePythonJson<T>(line)) ?? null;
}

/** Reads a JSON file of the shared test data. Returns null with a warning if the file is missing. */
export function readSharedDocument<T>(file: string): T | null {
  const text = readSharedText(file);
  return text === null ? null : parsePythonJson<T>(text);
}

function readSharedText(file: string): string | null {
  const path = resolve(shared, file);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  console.warn(`skipped: shared test data ${file} is not at ${path} (set SERVELENS_SHARED)`);
  return null;
}

/** Parses JSON written by Python, which may contain NaN and Infinity. */
function parsePythonJson<T>(text: string): T {
  return JSON.parse(text.replace(/\bNaN\b/g, 'null').replace(/\bInfinity\b/g, '1e999')) as T;
}
