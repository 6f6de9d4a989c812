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
  const child = spawn(file, args(port), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
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
  child.kill();
  throw new Error(message());
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Returns a port that is currently free. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
