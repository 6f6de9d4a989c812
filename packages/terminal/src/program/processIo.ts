import type { Io } from './command.ts';
import { unblockTerminal } from './unblockTerminal.ts';

/**
 * Returns the streams, environment and working directory of this process. A terminal that takes no output does not block the
 * process.
 */
export function getProcessIo(): Io {
  const { stdout, stderr, env } = process;
  unblockTerminal(stdout);
  unblockTerminal(stderr);
  return { stdout, stderr, env, cwd: process.cwd() };
}
