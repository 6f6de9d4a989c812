import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './source.ts';

/** How a command of ours ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Told of everything that is printed to stderr so far, whenever there is more. */
  readonly onStderr?: (text: string) => void;
  /** Ctrl-C is pressed when this resolves. */
  readonly interrupt?: Promise<void>;
}

/** Runs `servelens` with these arguments, as a process of its own, to its end. */
export function servelens(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const bin = join(root, 'apps/cli/bin/servelens.js');
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    options.onStderr?.(stderr);
  });
  void options.interrupt?.then(() => child.kill('SIGINT'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout, stderr }));
  });
}
