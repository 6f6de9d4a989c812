import { spawn } from 'node:child_process';
import { execArgv, execPath } from 'node:process';
import { text } from 'node:stream/consumers';

/**
 * Runs a task of a benchmark in a separate process, so that other tasks do not affect its memory usage. Returns
 * the JSON on the last line of its output. Throws if the process fails. The calling process stays responsive
 * meanwhile, for example to serve the endpoints that the task scrapes.
 */
export async function runTaskProcess<T>(
  script: string,
  options: Readonly<Record<string, string | number>>,
): Promise<T> {
  const flags = [...execArgv.filter(flag => flag !== '--expose-gc'), '--expose-gc'];
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(execPath, [...flags, script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const output = await text(child.stdout);
  const status = await ended;
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} exited with code ${status}`);
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as T;
}
