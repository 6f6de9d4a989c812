import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Debian's Python, which has Debian's pandas. */
const PYTHON = '/usr/bin/python3';

/** Runs Python in a folder and parses its output as JSON. Throws with the traceback. */
export async function python(
  args: readonly string[],
  cwd: string,
  program: string = PYTHON,
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}
