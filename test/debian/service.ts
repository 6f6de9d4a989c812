import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server from a Debian package, running on a free loopback port. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
/**
 * Maximum number of attempts to start a program. Another process may take the free port before the program
 * does.
 */
const MAX_ATTEMPTS = 3;

/**
 * Starts a program and waits until `path` responds with 200. `args` receives the port to listen on. If that
 * port is in use, another one is tried. Throws with the output of the program if it exits or does not respond
 * within 30 s.
 */
export async function startService(
  file: string,
  args: (port: number) => readonly string[],
  path: string,
): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(file, args, path);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(error as Error).message.includes('in use')) throw error;
    }
  }
}

async function startOnce(
  file: string,
  args: (port: number) => readonly string[],
  path: string,
): Promise<Service> {
  const port = await findFreePort();
  const child = spawn(file, args(port), { stdio: ['ignore', 'pipe', 'pipe'] });
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
    waitForResponse(url + path, child, () => `${file} does not respond: ${output}`),
  ]);
  failed.catch(() => {});
  return { url, stop: () => stop(child) };
}

async function waitForResponse(url: string, child: ChildProcess, message: () => string): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end; await sleep(100)) {
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
  await ended;
}

/** Returns a port that is currently free. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
