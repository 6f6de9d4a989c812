import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Debian's own Python, which is the one that has Debian's pandas. */
const PYTHON = '/usr/bin/python3';

/** Runs Python in a folder; returns what it prints as JSON. Throws with its traceback. */
export async function python(
  args: readonly string[],
  cwd: string,
  program: string = PYTHON,
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}
