import { closeSync, openSync, readSync } from 'node:fs';
import { isRegularFile } from './regularFile.ts';

/**
 * Number of bytes to search. `benchmark_id` is near the start of a JSON export; `input_config`, of any
 * length, is at its end.
 */
const HEAD_BYTES = 4096;

/** Reads the benchmark ID of the run that a JSON export belongs to; undefined if the file is missing or has none. */
export function readBenchmarkId(path: string): string | undefined {
  return /"benchmark_id":\s*"([^"]*)"/.exec(readHead(path))?.[1];
}

function readHead(path: string): string {
  if (!isRegularFile(path)) return '';
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(file, head));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}
