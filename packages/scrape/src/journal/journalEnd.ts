import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { KIND } from './format.ts';
import { RecordBuffer } from './recordBuffer.ts';

/** Reports whether a journal ends with the record of a normal end. Throws the system error of `node:fs` on failure. */
export function hasEndRecord(path: string): boolean {
  const record = new RecordBuffer();
  record.begin(KIND.end);
  const expected = record.seal();
  const actual = Buffer.alloc(expected.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, actual, 0, actual.length, Math.max(0, fstatSync(file).size - actual.length));
  } finally {
    closeSync(file);
  }
  return actual.equals(expected);
}
