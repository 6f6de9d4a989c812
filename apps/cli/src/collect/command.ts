import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { Io } from '../io.ts';
import type { Log } from '../log.ts';
import type { Interruption } from './interruption.ts';

/** How a command ended. */
export interface CommandEnd {
  /** As a shell would say it: the command's own, 128 + n for signal n, 127 when it was not found, 126 when not runnable. */
  readonly exitCode: number;
  /** Why it could not be started. */
  readonly failure?: string;
}

/** Runs a command to its end. Signals reach it: from the terminal by themselves, from elsewhere through us. */
export async function runCommand(
  words: readonly string[],
  io: Io,
  interruption: Interruption,
  log: Log,
): Promise<CommandEnd> {
  const command = new RunningCommand(words, io.env as NodeJS.ProcessEnv);
  const { onFirst, onSecond } = interruption;
  interruption.onFirst = signal => {
    if (signal !== 'SIGINT' || !hasTerminal()) command.signal(signal);
  };
  interruption.onSecond = signal => {
    command.signal('SIGTERM');
    onSecond(signal);
  };
  const end = await command.ended;
  Object.assign(interruption, { onFirst, onSecond });
  if (end.failure !== undefined) log.error(end.failure);
  return end;
}

/** A load generator, or whatever else runs while we scrape. It has our terminal, input included. */
class RunningCommand {
  readonly ended: Promise<CommandEnd>;
  #child: ChildProcess | undefined;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    const [file, ...args] = command;
    this.ended = new Promise(resolve => {
      const fail = (error: NodeJS.ErrnoException): void => resolve(notStarted(file!, error));
      try {
        const child = spawn(file!, args, { stdio: 'inherit', env });
        child.on('error', fail);
        child.on('exit', (code, signal) => resolve({ exitCode: exitCode(code, signal) }));
        this.#child = child;
      } catch (error) {
        // What no system would accept, as an empty name or too long a list of arguments, is refused at once.
        fail(error as NodeJS.ErrnoException);
      }
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

function notStarted(file: string, error: NodeJS.ErrnoException): CommandEnd {
  if (error.code === 'ENOENT' || file === '')
    return { exitCode: 127, failure: `cannot run ${JSON.stringify(file)}: command not found` };
  return { exitCode: 126, failure: `cannot run ${JSON.stringify(file)}: ${error.message}` };
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? (signal ? signalCode(signal) : 1);
}

/** Ctrl-C on a terminal reaches the command as it reaches us: passed on, it would be a second one. */
function hasTerminal(): boolean {
  return [0, 1, 2].some(fd => isatty(fd));
}

/** The exit code of a process that a signal ended, as a shell says it. */
export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
