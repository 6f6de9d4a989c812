import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server from a Debian package, running on a free loopback port. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

const START_MS = 30_000;
/** Another process may take the port between the check and its use. */
const TRIES = 3;

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
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(file, args, path);
    } catch (error) {
      if (tries === TRIES || !(error as Error).message.includes('in use')) throw error;
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
  let printed = '';
  const keep = (text: Buffer): void => {
    printed = (printed + text.toString('utf8')).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`cannot start ${file}: ${(error as Error).message}`);
  });
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([
    failed,
    waitForResponse(url + path, child, () => `${file} does not answer: ${printed}`),
  ]);
  failed.catch(() => {});
  return { url, stop: () => stop(child) };
}

async function waitForResponse(url: string, child: ChildProcess, message: () => string): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(100)) {
    if (child.exitCode !== null) break;
    const ok = await fetch(url).then(
      answer => answer.ok,
      () => false,
    );
    if (ok) return;
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
