import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Time after which the command is killed, in milliseconds. */
  readonly timeoutMs?: number;
  /** Kills the command and its children with SIGKILL when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Result of a finished command. */
export interface CommandOutput {
  /** Exit code, or null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  /** stdout and stderr, in the order of arrival. */
  readonly output: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const MAX_REPORTED_LENGTH = 3000;

/** Runs a command and waits for its exit. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal }: CommandOptions = {},
): Promise<CommandOutput> {
  // The command leads a process group, so that its children can be killed with it. Signals to the group of this
  // process do not reach it, so they are passed on.
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const terminate = (): void => {
    kill();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, terminate);
  const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
  signal?.addEventListener('abort', kill);
  let stdout = '';
  let output = '';
  const append = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    append(text);
  });
  child.stderr.setEncoding('utf8').on('data', append);
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(new Error(`cannot start ${file}: ${error.message}`)));
    child.on('close', code => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, terminate);
      resolve({ code, stdout, output });
    });
  });
}

/** Runs a command and returns its stdout. Throws with the end of its output if it fails. */
export async function runOrThrow(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, stdout, output } = await runCommand(file, args, options);
  if (code === 0) return stdout;
  const status = code === null ? 'was killed' : `exited with code ${code}`;
  throw new Error(`${[file, ...args].join(' ')} ${status}: ${output.trim().slice(-MAX_REPORTED_LENGTH)}`);
}
