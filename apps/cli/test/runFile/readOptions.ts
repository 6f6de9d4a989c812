import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfigFile } from '@org/discovery/config';
import { UserFileError } from '@org/terminal/userFile';
import { formatWords } from '../../src/runFile/mergeOptions.ts';
import { type RunFile, readRunFile } from '../../src/runFile/runFile.ts';

/** Reads a run file with the given contents. */
export async function readRun(
  folder: string,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunFile> {
  writeFileSync(join(folder, 'run.yaml'), text);
  const { run } = readConfigFile('run.yaml', { cwd: folder, env });
  return await readRunFile(run!);
}

/** Returns the words that a run file adds to the command line. */
export async function readWords(
  folder: string,
  text: string,
  env?: Readonly<Record<string, string>>,
): Promise<string[]> {
  const file = await readRun(folder, text, env);
  file.release();
  return file.options.flatMap(formatWords);
}

/** Returns the problems of an invalid run file, as `LINE:COLUMN: MESSAGE`. */
export async function listRunProblems(folder: string, text: string): Promise<string[]> {
  try {
    await readRun(folder, text);
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  }
  return [];
}
