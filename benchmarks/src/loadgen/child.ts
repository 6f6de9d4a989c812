import { type ChildProcess, spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own that prints its URL as its first line. */
export interface ServerProcess {
  readonly url: string;
  stop(): void;
}

/** Starts a script of this folder. Rejects when it ends before it has said where it listens. */
export async function startServer(script: string, ...args: readonly string[]): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = spawn(execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { url: await firstLine(child, path), stop: () => child.kill() };
}

function firstLine(child: ChildProcess, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', status => reject(new Error(`${path} ended with status ${status}`)));
  });
}
