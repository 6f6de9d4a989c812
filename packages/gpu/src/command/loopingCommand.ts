import { type ChildProcess, spawn } from 'node:child_process';
import { describeSystemError } from '@org/core';

export interface LoopingCommandOptions {
  readonly command: string;
  /** Returns the arguments; called before each start. */
  readonly createArguments: () => readonly string[];
  /** Receives each complete line of the standard output. */
  readonly onLine: (line: string) => void;
  /**
   * Called when the command ended by itself or could not be started. It starts again, after a delay unless the result
   * is `at once`.
   */
  readonly onEnd: () => 'at once' | 'later';
  /** Delay before the first restart, in milliseconds; doubled for each further one. */
  readonly restartDelayMs?: number;
}

/** Delay before the first restart, in milliseconds. */
const RESTART_DELAY_MS = 1000;
/** Maximum delay before a restart, in milliseconds. */
const MAX_RESTART_DELAY_MS = 30_000;
/** Maximum length of a line in characters. A longer one is dropped. */
const MAX_LINE_CHARACTERS = 65_536;
/** Time between the request to end and the kill of a command, in milliseconds. */
const KILL_DELAY_MS = 1000;

/** A command that prints lines until it is closed. It is started again if it ends before. */
export class LoopingCommand {
  readonly #options: LoopingCommandOptions;
  #child: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #partialLine = '';
  #isClosed = false;
  #exits = 0;
  #failedStarts = 0;
  #failure: string | undefined;

  constructor(options: LoopingCommandOptions) {
    this.#options = options;
  }

  /** Number of times that the command ended by itself. */
  get exits(): number {
    return this.#exits;
  }

  /** Why the command cannot be started; undefined if it could. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(): void {
    const { command, createArguments } = this.#options;
    // amd-smi is a Python program, which otherwise keeps lines for a pipe until it has 8 kB of them.
    const env = { ...process.env, LC_ALL: 'C', PYTHONUNBUFFERED: '1' };
    const child = spawn(command, createArguments(), { stdio: ['ignore', 'pipe', 'ignore'], env });
    this.#child = child;
    this.#partialLine = '';
    child.stdout!.setEncoding('utf8');
    child.stdout!.on('data', (text: string) => this.#addText(text));
    child.once('error', error => {
      this.#failure = describeSystemError(error);
    });
    child.once('close', () => this.#handleEnd());
    // A run must be able to end even if the command does not.
    child.unref();
  }

  /** Ends the command. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.ref();
    child.kill();
    const kill = setTimeout(() => child.kill('SIGKILL'), KILL_DELAY_MS);
    await ended;
    clearTimeout(kill);
    // A process that the command started may still have the pipe open.
    child.stdout!.destroy();
  }

  #addText(text: string): void {
    const lines = (this.#partialLine + text).split(/\r?\n/);
    this.#partialLine = lines.pop()!;
    if (this.#partialLine.length > MAX_LINE_CHARACTERS) this.#partialLine = '';
    if (lines.length > 0) this.#failedStarts = 0;
    for (const line of lines) this.#options.onLine(line);
  }

  /** Starts the command again after a delay. A last line without a line feed is incomplete and is dropped. */
  #handleEnd(): void {
    this.#partialLine = '';
    if (this.#isClosed) return;
    const { restartDelayMs = RESTART_DELAY_MS, onEnd } = this.#options;
    const delayMs = Math.min(MAX_RESTART_DELAY_MS, restartDelayMs * 2 ** this.#failedStarts);
    this.#failedStarts += 1;
    const isImmediate = onEnd() === 'at once';
    if (this.#failure !== undefined) return;
    this.#exits += 1;
    this.#restartTimer = setTimeout(() => this.start(), isImmediate ? 0 : delayMs).unref();
  }
}
