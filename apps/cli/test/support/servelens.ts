import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/main.ts';
import { createIo } from './io.ts';

/** Path of the built program. */
export const BIN: string = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));

/** Environment variables that keep runs short: scrapes every 50 ms, and no flush period. */
export const FAST_SCRAPES = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0',
} as const;

/** Working directory, and variables to add to the environment of this process. */
interface RunContext {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the program in this process. Returns its exit code and output. */
export async function runServelens(
  args: readonly string[],
  { cwd, env }: RunContext,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createIo(cwd, env);
  const code = await main(args, io);
  return { code, out: io.out.join(''), err: io.err.join('') };
}

/** The exit status and the complete output of a process. */
export interface ProcessEnd {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Maximum time to wait for a process, in milliseconds. Usually, a few seconds are enough even on a busy machine. */
const MAX_WAIT_MS = 120_000;
const POLL_INTERVAL_MS = 10;

/** The built program in a child process, which is the leader of a process group. */
export class ServelensProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended and its output is closed. */
  readonly ended: Promise<ProcessEnd>;
  /** Output so far. */
  out = '';
  err = '';
  #hasEnded = false;

  constructor(args: readonly string[], { cwd, env }: RunContext) {
    this.child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.child.stdout!.on('data', chunk => {
      this.out += chunk;
    });
    this.child.stderr!.on('data', chunk => {
      this.err += chunk;
    });
    this.ended = new Promise(resolve => {
      this.child.on('close', (code, signal) => {
        this.#hasEnded = true;
        resolve({ code, signal, out: this.out, err: this.err });
      });
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits until `condition` is true. Throws if the process ends first. */
  async waitUntil(condition: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + MAX_WAIT_MS;
    while (!condition()) {
      if (this.#hasEnded) throw new Error(`the process ended too early: ${this.err}`);
      if (performance.now() > deadlineMs) throw new Error(`timed out after ${MAX_WAIT_MS} ms: ${this.err}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Waits until stdout or stderr contains `text`. Throws if the process ends first. */
  async waitForOutput(text: string): Promise<void> {
    await this.waitUntil(() => this.out.includes(text) || this.err.includes(text));
  }
}

const running = new Set<ServelensProcess>();

/** Starts the built program. If a failed test leaves it behind, it is killed at the end of the test file. */
export function startServelens(args: readonly string[], context: RunContext): ServelensProcess {
  const started = new ServelensProcess(args, context);
  running.add(started);
  void started.ended.then(() => running.delete(started));
  return started;
}

/** Kills the processes that failed tests left behind, with their children. */
export function killLeftProcesses(): void {
  for (const { child } of running) {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The process group has ended.
    }
  }
}
