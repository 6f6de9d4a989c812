/** What a command may touch of the process it runs in; tests hand in their own. */
export interface Io {
  readonly stdout: NodeJS.WriteStream | (NodeJS.WritableStream & { isTTY?: boolean; columns?: number });
  readonly stderr: NodeJS.WriteStream | (NodeJS.WritableStream & { isTTY?: boolean; columns?: number });
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The process' own. */
export function processIo(): Io {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd() };
}
