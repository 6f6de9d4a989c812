import { type ChildProcess, spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { describeSystemError } from '@org/core';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { type Interruption, toExitCode } from '../process/interruption.ts';

/** File descriptor of stderr. */
const STDERR = 2;

/** The outcome of a child command. */
export interface ChildExit {
  /**
   * The exit code, following shell conventions: 128 + N for signal N, 127 if the command was not found, 126 if it
   * cannot be run.
   */
  readonly exitCode: number;
  /** The reason why the command could not be started; absent if the command was started. */
  readonly failure?: string;
}

/**
 * Runs a command and waits for it to exit. The first interrupt signal is forwarded to the command, except Ctrl-C in a
 * shared terminal. A later Ctrl-C sends SIGTERM to the command.
 *
 * @param usesStderr true to write the output of the command to stderr, because stdout has the result of this program
 */
export async function runChildCommand(
  commandLine: readonly string[],
  io: Io,
  interruption: Interruption,
  log: Log,
  usesStderr = false,
): Promise<ChildExit> {
  const command = new ChildCommand(commandLine, io.env as NodeJS.ProcessEnv, usesStderr);
  const { onFirst, onSecond } = interruption;
  interruption.onFirst = signal => {
    onFirst(signal);
    // The terminal has already sent Ctrl-C to the command.
    if (signal !== 'SIGINT' || !hasTerminal()) command.kill(signal);
  };
  interruption.onSecond = signal => {
    command.kill('SIGTERM');
    onSecond(signal);
  };
  const exit = await command.exited;
  Object.assign(interruption, { onFirst, onSecond });
  if (exit.failure !== undefined) log.error(exit.failure);
  return exit;
}

/** A child process that inherits stdin, stdout and stderr, or stderr for both outputs. */
class ChildCommand {
  readonly exited: Promise<ChildExit>;
  #child: ChildProcess | undefined;

  constructor(commandLine: readonly string[], env: NodeJS.ProcessEnv, usesStderr: boolean) {
    const [file, ...args] = commandLine;
    this.exited = new Promise(resolve => {
      const fail = (error: NodeJS.ErrnoException): void => resolve(describeFailure(file!, error));
      try {
        const stdout = usesStderr ? STDERR : 'inherit';
        const child = spawn(file!, args, { stdio: ['inherit', stdout, 'inherit'], env });
        child.on('error', fail);
        child.on('exit', (code, signal) => resolve({ exitCode: code ?? (signal ? toExitCode(signal) : 1) }));
        this.#child = child;
      } catch (error) {
        // Node throws for an empty name and for too many arguments.
        fail(error as NodeJS.ErrnoException);
      }
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

function describeFailure(file: string, error: NodeJS.ErrnoException): ChildExit {
  if (error.code === 'ENOENT' || file === '')
    return { exitCode: 127, failure: `cannot run ${JSON.stringify(file)}: command not found` };
  return { exitCode: 126, failure: `cannot run ${JSON.stringify(file)}: ${describeSystemError(error)}` };
}

function hasTerminal(): boolean {
  return [0, 1, 2].some(fd => isatty(fd));
}
