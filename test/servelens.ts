import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './source.ts';

/** Result of a finished command. */
export interface CommandResult {
  /** Exit code, or null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called with all stderr output so far, whenever new output arrives. */
  readonly onStderr?: (text: string) => void;
  /** When this promise resolves, SIGINT is sent to the command. */
  readonly interrupt?: Promise<void>;
}

/** Runs `servelens` in a child process and waits for its exit. */
export function runServelens(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
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
