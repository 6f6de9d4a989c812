import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { readerMain } from '../../src/main.ts';

/** The exit code and output of a call of the reader. */
export interface ReaderResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the reader in this process. With `columns`, standard output is a terminal of this width. */
export async function runReader(args: readonly string[], columns?: number): Promise<ReaderResult> {
  const written = { out: '', err: '' };
  const createStream = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const stdout = Object.assign(createStream('out'), terminal);
  const code = await readerMain(args, { stdout, stderr: createStream('err'), env: {}, cwd: process.cwd() });
  return { code, ...written };
}

/** Writes a file to a folder, and creates missing subfolders. Returns the path of the file. */
export function writeTestFile(folder: string, path: string, content: string | Buffer): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Runs the reader and expects exit code 2, a message that matches, no stack trace, and no output. */
export async function expectUserError(args: readonly string[], message: RegExp): Promise<void> {
  const { code, out, err } = await runReader(args);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n +at /);
  expect([code, out]).toEqual([2, '']);
}
