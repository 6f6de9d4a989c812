import { spawnSync } from 'node:child_process';
import { execArgv, execPath } from 'node:process';

/**
 * Runs a task of a benchmark in a process of its own, so that nothing else stands in its memory, and gives back what it
 * printed, as JSON, on its last line.
 */
export function inOwnProcess<T>(script: string, args: readonly string[]): T {
  const flags = [...execArgv.filter(flag => flag !== '--expose-gc'), '--expose-gc'];
  const { status, stdout, error } = spawnSync(execPath, [...flags, script, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} ended with status ${status}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as T;
}
