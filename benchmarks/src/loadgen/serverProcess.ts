import { type ChildProcess, spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a separate process, which prints its URL as its first line. */
export interface ServerProcess {
  readonly url: string;
  stop(): void;
}

/** Starts a server script of this folder. Throws if the script exits before it prints its URL. */
export async function startServer(script: string, ...args: readonly string[]): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = spawn(execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { url: await readFirstLine(child, path), stop: () => child.kill() };
}

function readFirstLine(child: ChildProcess, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', status => reject(new Error(`${path} exited with code ${status}`)));
  });
}
