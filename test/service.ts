import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in a child process, listening on a free loopback port. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Maximum time until the server responds, in milliseconds. */
  readonly timeoutMs?: number;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

const START_TIMEOUT_MS = 30_000;
/** Time after which a server that does not end on SIGTERM is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 20_000;
/**
 * Maximum number of attempts to start a program. Another process may take the free port before the program
 * does.
 */
const MAX_ATTEMPTS = 3;

/**
 * Starts a program and waits until `path` responds with 200. `args` receives the port to listen on. If that
 * port is in use, another one is tried. Throws with the output of the program if it exits or does not respond
 * in time (30 s by default).
 */
export async function startService(
  file: string,
  args: (port: number) => readonly string[],
  path: string,
  options: ServiceOptions = {},
): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(file, args, path, options);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(error as Error).message.includes('in use')) throw error;
    }
  }
}

async function startOnce(
  file: string,
  args: (port: number) => readonly string[],
  path: string,
  { timeoutMs = START_TIMEOUT_MS, env }: ServiceOptions,
): Promise<Service> {
  const port = await findFreePort();
  // The program leads a process group, so that its children end with it.
  const child = spawn(file, args(port), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  killWithThisProcess(child);
  let output = '';
  const appendOutput = (text: Buffer): void => {
    output = (output + text.toString('utf8')).slice(-4000);
  };
  child.stdout.on('data', appendOutput);
  child.stderr.on('data', appendOutput);
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`cannot start ${file}: ${(error as Error).message}`);
  });
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([
    failed,
    waitForResponse(url + path, child, timeoutMs, () => `${file} does not respond: ${output}`),
  ]);
  failed.catch(() => {});
  return { url, stop: () => stop(child) };
}

async function waitForResponse(
  url: string,
  child: ChildProcess,
  timeoutMs: number,
  message: () => string,
): Promise<void> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(100)) {
    if (child.exitCode !== null) break;
    const isReady = await fetch(url).then(
      response => response.ok,
      () => false,
    );
    if (isReady) return;
  }
  killGroup(child, 'SIGKILL');
  throw new Error(message());
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Sends a signal to a program and its children. They may have ended already. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The programs that are running. */
const running = new Set<ChildProcess>();

/** Signals to the process group of this process do not reach the program, so it is killed when this process ends. */
function killWithThisProcess(child: ChildProcess): void {
  if (running.size === 0) {
    process.on('exit', killRunning);
    for (const signal of SIGNALS) process.on(signal, terminate);
  }
  running.add(child);
  child.once('exit', () => {
    killGroup(child, 'SIGKILL');
    running.delete(child);
    if (running.size > 0) return;
    process.off('exit', killRunning);
    for (const signal of SIGNALS) process.off(signal, terminate);
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function killRunning(): void {
  for (const child of running) killGroup(child, 'SIGKILL');
}

function terminate(): void {
  process.exit(1);
}

/** Returns a port that is currently free. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
