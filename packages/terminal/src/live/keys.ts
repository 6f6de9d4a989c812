import { readFileSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';

/** A pressed key: its character, such as `q`, or `ctrl+c`. */
export type KeyListener = (key: string) => void;

/**
 * Calls `listener` for each key, without waiting for Enter. Ctrl-C does not send a signal meanwhile. Returns a function
 * that ends this; undefined if no keys can be read.
 */
export function readKeys(stdin: ReadStream, listener: KeyListener): (() => void) | undefined {
  if (!stdin.isTTY || !isForeground()) return undefined;
  const onKey = (_: unknown, { name = '', ctrl }: { name?: string; ctrl?: boolean }): void =>
    listener(ctrl ? `ctrl+${name}` : name);
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey).resume();
  return () => {
    stdin.off('keypress', onKey).pause();
    stdin.setRawMode(false);
  };
}

/**
 * Reports whether the process is in the foreground of its terminal. A background process that changes the mode of its
 * terminal is stopped. Without /proc, the process is assumed to be in the foreground.
 */
export function isForeground(): boolean {
  try {
    return hasForegroundGroup(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return true;
  }
}

/** Compares the process group with the foreground group of the terminal; see proc_pid_stat(5). */
export function hasForegroundGroup(stat: string): boolean {
  // The name of the process is in parentheses, and can contain spaces and parentheses.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
