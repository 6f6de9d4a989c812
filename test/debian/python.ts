import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Debian's Python, which has Debian's pandas. */
const PYTHON = '/usr/bin/python3';

/** Runs Python in a folder and parses its output as JSON. Rejects with the traceback if Python fails. */
export async function runPython(
  args: readonly string[],
  cwd: string,
  executable: string = PYTHON,
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(executable, [...args], { cwd, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}
